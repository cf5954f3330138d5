#!/usr/bin/env python3
"""Compare what the rules `reading` leave of text with what Chromium paints of it.

usage: check_hidden.py TAMIS [--fragments N] [--seed N] [--show N]

Random fragments of nested elements, with one word of text in each place, hide some of them by inline styles and attributes. Chromium lays each
fragment out without scripts and style sheets, and a word counts as seen when it has an area in the page, no ancestor is transparent, and its color
differs from the background behind it. Words that are seen and went are losses; words that are not seen and stayed are shown.
"""
import argparse, json, random, re, subprocess, sys
from playwright.sync_api import sync_playwright

STYLES = ["display:none", "display:block", "display:inline", "visibility:hidden", "visibility:visible", "visibility:collapse", "opacity:0", "opacity:.5",
          "opacity:1", "font-size:0", "font-size:13px", "font-size:2em", "font-size:100%", "font:0/0 a", "font:bold 12px/1.2 serif", "color:white", "color:#fff",
          "color:#000", "color:black", "background:white", "background:#fff", "background-color:#000", "background:black", "color:transparent", "color:rgba(0,0,0,0)",
          "height:0", "height:0;overflow:hidden", "max-height:0;overflow:hidden", "width:0;overflow:hidden", "height:20px;overflow:hidden", "overflow:hidden",
          "height:0;overflow:hidden;padding-bottom:20px", "padding:3px", "min-height:30px", "position:absolute", "position:relative", "left:-9999px", "top:-9999px",
          "left:-5px", "position:absolute;left:-9999px", "position:fixed;top:-5000px", "text-indent:-9999px", "text-indent:2em", "text-indent:0", "margin-left:-9999px",
          "margin-left:10px", "clip-path:inset(50%)", "clip-path:inset(10%)", "position:absolute;clip:rect(0,0,0,0)", "clip:rect(0,0,0,0)", "float:left",
          "display:none!important", "d\\69splay:n\\6fne", "display:/**/none", "DISPLAY: NONE", "content-visibility:hidden", "text-align:center", "color:red",
          "filter:opacity(0)", "display:inline-block", "font-size:initial", "font-size:small", "font-size:smaller", "text-shadow:none", "position:static;left:-9999px"]
BLOCKS, INLINES = ["div", "p", "section", "blockquote", "h2", "ul"], ["span", "b", "i", "em", "small", "code", "a href=#x", "mark", "font color=red", "font color=white"]

# A word is seen when some of its box is in the page and nothing on the way to the root hides it.
SEEN = """() => {
  const alpha = c => { const m = c.match(/[\\d.]+/g); return m.length > 3 ? +m[3] : 1 };
  const rgb = c => c.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const words = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, name = text.data.trim();
    if (!/^w\\d+x$/.test(name)) continue;
    const range = document.createRange(); range.selectNodeContents(text);
    let why = '';
    const rects = [...range.getClientRects()].filter(r => r.width > 1 && r.height > 1);
    const box = rects[0], style = getComputedStyle(text.parentElement);
    if (!box) why = 'no area';
    else if (!text.parentElement.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})) why = 'not visible';
    else if (box.right + scrollX < -500 || box.bottom + scrollY < -500) why = 'outside';
    else if (alpha(style.color) === 0) why = 'transparent';
    for (let e = text.parentElement; e && !why; e = e.parentElement) {
      const s = getComputedStyle(e), b = e.getBoundingClientRect();
      if (+s.opacity === 0 || s.filter === 'opacity(0)') why = 'opacity';
      if (s.contentVisibility === 'hidden' && s.display !== 'inline') why = 'content-visibility';
      if (s.clipPath === 'inset(50%)') why = 'clip-path';
      if (s.clip === 'rect(0px, 0px, 0px, 0px)' && /absolute|fixed/.test(s.position)) why = 'clip';
      if (s.overflowX === 'hidden' && s.display !== 'inline') {
        // What exceeds the padding box is cut; an absolute box is only cut by positioned ones.
        const away = (() => { for (let d = text.parentElement; d && d !== e; d = d.parentElement) if (/absolute|fixed/.test(getComputedStyle(d).position)) return true; return false })();
        const cut = {l: b.left, r: b.right, t: b.top, b: b.bottom};
        if ((b.width <= 1 || b.height <= 1) && !(away && s.position === 'static') && (Math.min(cut.r, box.right) - Math.max(cut.l, box.left) <= 1 || Math.min(cut.b, box.bottom) - Math.max(cut.t, box.top) <= 1)) why = 'cut';
      }
    }
    if (!why) {
      // The nearest background counts when it is that of the element that sets the color, as the rules have it.
      const e = text.parentElement, own = getComputedStyle(e);
      words[name] = {seen: true, color: own.color, background: (() => { for (let p = e; p; p = p.parentElement) { const c = getComputedStyle(p).backgroundColor; if (alpha(c) > 0) return c } return 'none' })()};
    } else words[name] = {seen: false, why};
  }
  return words;
}"""


class Maker:
    """Random fragments; `words` has the styles around each word."""

    def __init__(self, seed): self.random, self.count, self.words = random.Random(seed), 0, {}

    def word(self, way):
        self.count += 1
        name = f"w{self.count}x"
        self.words[name] = list(way)
        return name

    def element(self, depth, way, isInline):
        tag = self.random.choice(INLINES if isInline else BLOCKS)
        # An inline box with such a margin moves what follows it in its line, which docs/rules.md names as left.
        choice = [style for style in STYLES if not (isInline and style == "margin-left:-9999px")]
        styles = ";".join(self.random.sample(choice, self.random.choice([0, 0, 1, 1, 2])))
        hidden = self.random.choice([" hidden", ' hidden="until-found"']) if self.random.random() < .04 else ""
        start = f'<{tag}{hidden}' + (f' style="{styles}"' if styles else "") + ">"
        here, name = way + [start], tag.split()[0]
        parts = [f"<b>{self.word(here + ['<b>'])}</b>" if self.random.random() < .2 else self.word(here)]
        for _ in range(self.random.choice([0, 1, 2]) if depth < 3 else 0):
            inner = isInline or name in ("p", "h2") or self.random.random() < .5
            if tag == "ul": parts = ["<li>" + " ".join(parts) + "</li>"]
            parts.insert(self.random.randrange(len(parts) + 1), self.element(depth + 1, here, inner))
        return start + " ".join(parts) + f"</{name}>"


def sanitized(tamis, fragments):
    lines = "".join(json.dumps({"id": str(i), "html": html}) + "\n" for i, html in enumerate(fragments))
    done = subprocess.run([tamis, "sanitize", "--jsonl"], input=lines.encode(), capture_output=True, check=True)
    return [json.loads(line)["html"] for line in done.stdout.decode().splitlines()]


def same(one, other):
    numbers = lambda color: [float(n) for n in re.findall(r"[\d.]+", color)[:3]]
    return other != "none" and all(abs(a - b) <= 4 for a, b in zip(numbers(one), numbers(other)))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("tamis"); options.add_argument("--fragments", type=int, default=4000)
    options.add_argument("--seed", type=int, default=1); options.add_argument("--show", type=int, default=10)
    options = options.parse_args()
    maker, fragments, owners = Maker(options.seed), [], {}
    for index in range(options.fragments):
        first = maker.count
        fragments.append(maker.element(0, [], False))
        for number in range(first + 1, maker.count + 1): owners[f"w{number}x"] = index
    seen = {}
    with sync_playwright() as engines:
        browser = engines.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        for start in range(0, len(fragments), 200):
            # Each fragment has a frame of its own, so that one that is moved does not lie over another.
            for html in fragments[start:start + 200]:
                page.set_content(f"<!DOCTYPE html><body style='margin:20px'>{html}<p>end", wait_until="commit")
                seen.update(page.evaluate(SEEN))
        browser.close()
    outputs = sanitized(options.tamis, fragments)
    kept = {word for html in outputs for word in re.findall(r"\bw\d+x\b", html)}
    lost = [w for w, fact in seen.items() if fact["seen"] and w not in kept and not same(fact["color"], fact["background"])]
    shown = [w for w, fact in seen.items() if not fact["seen"] and w in kept and not any("until-found" in tag for tag in maker.words[w])]
    for name, words in (("lost", lost), ("shown", shown)):
        for word in words[:options.show]:
            print(f"{name}: {word} {seen[word]}\n    {''.join(maker.words[word])}")
    hidden = sum(not fact["seen"] for fact in seen.values())
    print(f"{len(seen)} words of {len(fragments)} fragments: Chromium hides {hidden}; {len(lost)} seen ones went, {len(shown)} hidden ones stayed")
    return 1 if len(lost) * 1000 > len(seen) or len(shown) * 500 > len(seen) else 0


if __name__ == "__main__":
    sys.exit(main())
