// Searches the titles, excerpts, feeds and tags of all posts; part of search.html where a site has `search: page`.
(() => {
  "use strict";
  // The numbers of data files that are read, and of posts that are shown more, at a press of a button.
  const FILES = 20, SHOWN = 50;
  // The numbers of characters of a search, and of a shown text.
  const LONGEST_SEARCH = 200, LONGEST_TEXT = 600;
  const element = id => document.getElementById(id);
  const [form, words, list, more] = ["search", "words", "found", "more"].map(element);
  const states = ["reading", "count", "none", "failed"].map(element);

  // The data files that are not read yet, the newest last; null before the first search.
  let files = null;
  // The posts that have been read, with their folded text.
  const posts = [];
  let wanted = [], found = [], shown = 0, turn = 0;

  // Letters without case, accents, points of Hebrew and Arabic, and places where a word may break; apostrophes and
  // hyphens as they are typed.
  const MARKS = /[\u00ad\u200b\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
  const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i", ς: "σ", "’": "'", "‘": "'", "ʼ": "'", "‐": "-" };
  const fold = text => text.normalize("NFKD").replace(MARKS, "").toLowerCase()
    .replace(/[ßæœøđłıς’‘ʼ‐]/g, letter => LETTERS[letter]).replace(/\s+/g, " ");

  // Words have to be anywhere in a post, words between quotation marks side by side.
  const terms = text => Array.from(new Set((text.slice(0, LONGEST_SEARCH).replace(/[“”„]/g, "\"").match(/"[^"]*"|[^\s"]+/g) || [])
    .map(term => fold(term.replace(/"/g, "").replace(/\*+$/, "")).trim()).filter(term => term)));

  const read = async name => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(answer.status);
    return answer.json();
  };

  const say = (...names) => states.forEach(state => state.hidden = !names.includes(state.id));

  // "None" is said when all posts have been read.
  const sayCount = () => say(found.length || files.length ? "count" : "none");

  // Adds text with the words that were looked for marked.
  const write = (parent, text) => {
    // For each unit of the folded text, the character that it comes from.
    const characters = Array.from(text.slice(0, 2 * LONGEST_TEXT)).slice(0, LONGEST_TEXT), origins = [];
    let folded = "";
    characters.forEach((character, index) => {
      const form = fold(character);
      for (let unit = 0; unit < form.length; unit++) origins.push(index);
      folded += form;
    });
    const isHit = new Array(characters.length).fill(false);
    for (const term of wanted) {
      for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
        isHit.fill(true, origins[at], origins[at + term.length - 1] + 1);
      }
    }
    for (let start = 0, end; start < characters.length; start = end) {
      end = start + 1;
      while (end < characters.length && isHit[end] === isHit[start]) end++;
      const target = isHit[start] ? parent.appendChild(document.createElement("mark")) : parent;
      target.append(characters.slice(start, end).join(""));
    }
  };

  const add = (parent, name, text, className) => {
    const child = parent.appendChild(document.createElement(name));
    if (className) child.className = className;
    child.dir = "auto";
    write(child, text);
    return child;
  };

  const showMore = (count = SHOWN) => {
    for (const { post } of found.slice(shown, shown + count)) {
      const item = list.appendChild(document.createElement("li"));
      const link = add(item.appendChild(document.createElement("h2")), "a", post.title);
      // Encoded and relative, an address leads to a page of this site, whatever is in it.
      link.href = "./" + post.url.split("/").map(encodeURIComponent).join("/");
      const line = item.appendChild(document.createElement("p"));
      line.className = "meta";
      add(line, "span", post.feed);
      if (post.date) {
        const time = line.appendChild(document.createElement("time"));
        time.dateTime = post.date;
        time.textContent = post.date.slice(0, 10);
      }
      if (post.excerpt) add(item, "p", post.excerpt);
    }
    shown = Math.min(shown + count, found.length);
    more.hidden = shown === found.length && !(files && files.length);
  };

  const isWanted = post => wanted.every(term => post.text.includes(term));

  // Shows as many posts as were shown before, and more.
  const show = () => {
    const count = shown + SHOWN;
    // Posts stand in the data as they arrived.
    found = posts.filter(isWanted).sort((one, other) => one.time < other.time ? 1 : one.time > other.time ? -1 : 0);
    shown = 0;
    list.textContent = "";
    element("count").querySelector("b").textContent = found.length;
    showMore(count);
  };

  // Reads the next data files, newest first, unless another search begins meanwhile.
  const readOn = async () => {
    const mine = ++turn;
    say("reading");
    try {
      const index = files || (await read("search.json")).parts;
      const next = index.slice(-FILES), parts = await Promise.all(next.map(read));
      if (mine !== turn) return;
      files = index.slice(0, index.length - next.length);
      for (const part of parts) {
        for (const post of part.posts) {
          const text = [post.title, post.excerpt, post.feed, ...(post.tags || [])].map(fold).join("\n");
          posts.push({ post, text, time: post.date || "" });
        }
      }
      show();
      sayCount();
    } catch (error) {
      // What was found before stays.
      if (mine === turn) say("failed");
    }
  };

  const search = () => {
    turn++;
    wanted = terms(words.value);
    found = [];
    shown = 0;
    list.textContent = "";
    more.hidden = true;
    if (!wanted.length) return say("none");
    if (!posts.length) return readOn();
    show();
    sayCount();
  };

  // The words stand behind the "#" of the address, which is not sent to a server, so that a search can be linked.
  const follow = () => {
    if (!location.hash.startsWith("#q=")) return;
    try {
      words.value = decodeURIComponent(location.hash.slice(3)).slice(0, LONGEST_SEARCH);
    } catch (error) {
      return;
    }
    search();
  };

  form.addEventListener("submit", event => {
    event.preventDefault();
    const hash = "#q=" + encodeURIComponent(words.value);
    if (location.hash === hash) search(); else location.hash = hash;
  });
  more.addEventListener("click", async () => {
    if (!element("reading").hidden) return;
    const first = shown;
    if (shown < found.length) showMore(); else await readOn();
    // The button may be gone.
    if (first < shown) list.children[first].querySelector("a").focus();
  });
  addEventListener("hashchange", follow);
  form.hidden = false;
  follow();
})();
