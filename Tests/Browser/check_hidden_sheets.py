#!/usr/bin/env python3
"""Compare what goes of pages whose style sheets hide text with what browsers paint of them.

usage: check_hidden_sheets.py TAMIS [--engines chromium,firefox,webkit] [--no-engines] [--only TEXT] [--show N]
       check_hidden_sheets.py TAMIS --real FOLDER... [--limit N] [--show N]

The first form reads Fixtures/Hidden/ways.txt, whose head says its format. Each case becomes an article page with one word (h1x, s1x, r1x) in each
place that is asked about. Pixels say whether a word is seen: its digits are exchanged in the text, which moves nothing, and the page is photographed
before and after. Where the photograph stays the same, nobody sees the word. An engine that disagrees with the file is a fault of the file, since
both `tamis sanitize` and `tamis article` are then held against what the file says.

The bars: of the hidden words 97 in 100 go, and no word that is seen, or that an action would show, goes. In `article`, only words count that stay
when all that hides is taken out of the page, since it leaves out more than what is hidden.

The second form reads saved pages (.html, .html.gz), asks Chromium which of their texts it paints, without scripts and network, and counts the
words of these that rules with `hidden: drop` lose and rules with `hidden: keep` keep; of `article`, those that it loses by the page's style elements. Each
text carries a mark of its own, by which it is found in the output. What Chromium says stays in .build/hidden-real.json; remove the file when pages change.

Exit code 1: a bar is not met, or an engine disagrees. Engines that are not installed are named and left out.
"""
import argparse, base64, collections, contextlib, gzip, hashlib, http.client, json, os, pathlib, random, re, shutil, socket, subprocess, sys, tempfile, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import engines as kit

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIXTURE, CACHE = ROOT / "Fixtures/Hidden/ways.txt", ROOT / ".build/hidden-real.json"
WORD, BAR, WIDTH, HEIGHT = re.compile(r"\b[hsrtp]\d+x\b"), .97, 1280, 800
KEYS = ("style", "head", "body", "html", "bodytag", "doctype", "engines")
# Paragraphs that are an article to everybody. Each fits in a line of the window, so that a case is in the first 800 pixels of its page.
AROUND = [
    "The river p1x rose slowly through the last week of April, and the farmers along its banks moved their animals to the higher meadows.",
    "Nobody in the village p2x could remember a spring with so much rain, although the old church has marks of floods from three centuries.",
    "The mayor p3x asked for volunteers on Monday morning, and by noon more than two hundred people were filling bags with sand.",
    "Children p4x carried bread and tea to those who worked at the dam, while the school stayed closed and its hall became a kitchen.",
    "On Wednesday p5x the water reached the lower road, where a bakery and two workshops had to be cleared within a few hours.",
    "Engineers p6x from the city measured the level every hour, and their numbers were read aloud in the square each evening.",
    "The worst p7x was expected for the night of Thursday, but the wind turned, and the rain moved on towards the mountains.",
    "By Friday p8x the river had fallen by the width of a hand, which was enough for the first families to return to their houses.",
    "The damage p9x is smaller than was feared: some cellars, a bridge for walkers, and the fence around the football ground.",
    "In the summer p10x the council will decide whether the dam should be raised, and who is going to pay for the work."]


def characters(text):
    """The text with the characters that the fixture writes by sign and number."""
    return re.sub(r"«([0-9A-F]+)»", lambda match: chr(int(match.group(1), 16)), text.replace("¶", "\n"))


class Case:
    """A document, with the words in it that are hidden, seen, or shown by an action."""

    def __init__(self, line, kind, title, fields, way=None):
        self.line, self.kind, self.title, self.way = line, kind, title, way
        self.fields = {key: fields.get(key, []) for key in KEYS}
        if kind == "twin":
            for key in KEYS:
                if key not in fields: self.fields[key] = way.fields[key]
            if "body" not in fields: self.fields["body"] = [re.sub(r"\bh(\d+x)\b", r"t\1", line) for line in way.fields["body"]]
        self.fields = {key: [characters(value) for value in values] for key, values in self.fields.items()}
        self.body = "\n".join(self.fields["body"])
        self.words = list(dict.fromkeys(WORD.findall(self.body)))
        self.engines = (self.fields["engines"] or ["chromium firefox webkit"])[0].split()

    def expected(self, word): return word[0] not in "h"

    def document(self, isPlain=False):
        """The page. A plain one has nothing of the case that hides."""
        one = lambda key: " ".join(self.fields[key])
        styles = "".join(f"<style>{text}</style>\n" for text in self.fields["style"])
        head, body, html, tag = one("head"), self.body, one("html"), one("bodytag")
        if isPlain: styles, head, tag, body = "", "", "", without_hiding(body)
        paragraphs = [f"<p>{text}</p>" for text in AROUND]
        return "\n".join([
            "" if one("doctype") == "quirks" and not isPlain else "<!DOCTYPE html>", f'<html lang="en" {html}>', "<head>", '<meta charset="utf-8">', "<title>The river and the dam</title>",
            head + styles + "</head>", f"<body {tag}>", "<article>", "<h1>The river and the dam</h1>", *paragraphs[:5], f'<div id="place">{body}</div>', *paragraphs[5:], "</article>",
            "</body>", "</html>"]).lstrip("\n")


# What hides by itself in the fixture: sheets, and attributes. A dialog is open without its sheets.
STYLES, HIDING = re.compile(r"<style\b[^>]*>.*?</style>", re.DOTALL), re.compile(r"""(?<=[\w"'])\s+(?:style|hidden|popover|aria-hidden)(?:="[^"]*")?(?=[\s>])""")


def without_hiding(body): return HIDING.sub("", STYLES.sub("", body)).replace("<dialog", "<dialog open")


def cases(path):
    """Reads the fixture; raises ValueError where a line is not understood."""
    found, fields, start, way = [], None, None, None

    def finish():
        nonlocal fields, way
        if fields is None: return
        line, kind, title = start
        case = Case(line, kind, title, fields, way)
        if kind != "twin": way = case
        found.append(case)
        fields = None

    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("#"): continue
        if not line.strip(): finish(); way = None; continue
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        if not colon: raise ValueError(f"{path}:{number}: no key")
        if key in ("way", "twin", "state"):
            finish()
            if key == "twin" and way is None: raise ValueError(f"{path}:{number}: a twin of nothing")
            fields, start = {}, (number, key, value)
        elif key in KEYS and fields is not None: fields.setdefault(key, []).append(value)
        else: raise ValueError(f"{path}:{number}: unknown key {key}")
    finish()
    for case in found:
        letters = {word[0] for word in case.words}
        wrong = {"way": not "h" in letters or "r" in letters, "twin": bool(letters & set("hr")), "state": letters - set("rs")}[case.kind]
        if wrong: raise ValueError(f"{path}:{case.line}: words {case.words} in a {case.kind}")
        texts = ["".join(case.fields[key]) for key in KEYS]
        if case.kind == "twin" and texts == ["".join(case.way.fields[key]) for key in KEYS]: raise ValueError(f"{path}:{case.line}: the twin is the way itself")
    return found


# --- engines -------------------------------------------------------------------------------------------------------------

# What stands in place of a word has the same letters and other digits, which have one width in fonts for text.
SWAP = """const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT); let count = 0;
while (walker.nextNode()) { const text = walker.currentNode; if (text.data.includes(from)) { text.data = text.data.split(from).join(to); count++ } }
return count"""


def swapped(word): return re.sub(r"\d", lambda digit: str((int(digit.group()) + 5) % 10), word).replace("x", "x")


class Handler(kit.Handler):
    """Gives documents by their number, and nothing for all else that an engine asks for."""

    def do_GET(self):
        name = self.path.removeprefix(f"http://127.0.0.1:{self.server.server_port}").removeprefix("/")
        if name.isdigit(): self.give(self.server.documents[int(name)].encode())
        else: self.give(b"", status=404)


class Server(kit.Server):
    """A server of documents, and the proxy of engines that take one."""

    def __init__(self, documents):
        super().__init__()
        self.RequestHandlerClass, self.documents, self.start = Handler, documents, f"http://127.0.0.1:{self.server_port}/"


class Chromium:
    """Chromium by Playwright, without scripts."""

    def __init__(self, server, folder):
        from playwright.sync_api import sync_playwright
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        self.page = self.browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, java_script_enabled=False, color_scheme="light", reduced_motion="no-preference")
        self.scale = self.browser.new_page()

    def open(self, address): self.page.goto(address, wait_until="load")
    def swap(self, one, other): return self.page.evaluate("([from, to]) => {" + SWAP + "}", [one, other])
    def photograph(self): return self.page.screenshot(full_page=True)

    # How many pixels differ clearly between two pictures.
    DIFFERENCE = """async (pictures) => {
      const [one, other] = await Promise.all(pictures.map(async (text) => createImageBitmap(await (await fetch("data:image/png;base64," + text)).blob())));
      if (one.width !== other.width || one.height !== other.height) return -1;
      const canvas = new OffscreenCanvas(one.width, one.height), context = canvas.getContext("2d", {willReadFrequently: true});
      context.drawImage(one, 0, 0); const first = context.getImageData(0, 0, one.width, one.height).data;
      context.clearRect(0, 0, one.width, one.height); context.drawImage(other, 0, 0); const second = context.getImageData(0, 0, one.width, one.height).data;
      let count = 0;
      for (let i = 0; i < first.length; i += 4) {
        if (Math.max(Math.abs(first[i] - second[i]), Math.abs(first[i + 1] - second[i + 1]), Math.abs(first[i + 2] - second[i + 2])) > 40) count++
      }
      return count }"""

    def difference(self, one, other):
        if one == other: return 0
        return self.scale.evaluate(self.DIFFERENCE, [base64.b64encode(picture).decode() for picture in (one, other)])

    def close(self):
        self.browser.close()
        self.playwright.stop()


def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Firefox:
    """Firefox by Marionette, the protocol that it speaks itself, since Debian has no geckodriver."""

    def __init__(self, server, folder):
        number = port()
        if not shutil.which("firefox-esr") and not shutil.which("firefox"): raise FileNotFoundError("firefox-esr")
        (pathlib.Path(folder) / "user.js").write_text(kit.FIREFOX.replace("{port}", str(server.server_port)) + f'user_pref("marionette.port", {number});\nuser_pref("ui.systemUsesDarkTheme", 0);\n')
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        self.process = started([program, "--headless", "--no-remote", "--marionette", "--profile", folder, "about:blank"], folder)
        for _ in range(200):
            time.sleep(.3)
            with contextlib.suppress(OSError):
                self.socket = socket.create_connection(("127.0.0.1", number), timeout=120)
                break
        else: raise TimeoutError("Firefox does not answer")
        self.count = 0
        self.receive()
        self.ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})
        rect = self.ask("WebDriver:GetWindowRect", {})
        inner = self.script("return [innerWidth, innerHeight]")
        self.ask("WebDriver:SetWindowRect", {"width": rect["width"] + WIDTH - inner[0], "height": rect["height"] + HEIGHT - inner[1]})
        if self.script("return [innerWidth, innerHeight]") != [WIDTH, HEIGHT]: print("the window of Firefox is", self.script("return [innerWidth, innerHeight]"))

    def receive(self):
        length = b""
        while not length.endswith(b":"): length += self.socket.recv(1)
        wanted, data = int(length[:-1]), b""
        while len(data) < wanted: data += self.socket.recv(wanted - len(data))
        return json.loads(data)

    def ask(self, name, parameters):
        self.count += 1
        data = json.dumps([0, self.count, name, parameters]).encode()
        self.socket.sendall(str(len(data)).encode() + b":" + data)
        _, _, error, value = self.receive()
        if error: raise RuntimeError(f"{name}: {error.get('message')}")
        return value.get("value", value) if isinstance(value, dict) else value

    def script(self, text, *arguments): return self.ask("WebDriver:ExecuteScript", {"script": text, "args": list(arguments)})
    def open(self, address): self.ask("WebDriver:Navigate", {"url": address})
    def swap(self, one, other): return self.script("const [from, to] = arguments;" + SWAP, one, other)
    def photograph(self): return base64.b64decode(self.ask("WebDriver:TakeScreenshot", {"full": True}))

    def close(self): ended(self.process)


class WebKit:
    """WebKitGTK by its own driver. Its photograph is the window, which has all of a case."""

    def __init__(self, server, folder):
        browsers = sorted(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
        if not browsers or not all(map(shutil.which, ("xvfb-run", "dbus-run-session", "WebKitWebDriver"))): raise FileNotFoundError("webkit2gtk-driver")
        self.port = port()
        self.process = started(["xvfb-run", "-a", "-s", "-screen 0 1600x1200x24", "dbus-run-session", "--", "WebKitWebDriver", f"--port={self.port}"], folder)
        for _ in range(100):
            time.sleep(.3)
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
        else: raise TimeoutError("WebKit does not answer")
        options = {"binary": str(browsers[-1]), "args": ["--automation"]}
        self.session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})["sessionId"]
        rect, inner = self.own("POST", "/window/rect", {"width": WIDTH, "height": HEIGHT + 100}), self.script("return [innerWidth, innerHeight]")
        self.own("POST", "/window/rect", {"width": rect["width"] + WIDTH - inner[0], "height": rect["height"] + HEIGHT - inner[1]})
        time.sleep(1)
        if self.script("return [innerWidth, innerHeight]") != [WIDTH, HEIGHT]: print("the window of WebKit is", self.script("return [innerWidth, innerHeight]"))

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, json.dumps(body) if body is not None else None, {"Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer: raise RuntimeError(f"{path}: {answer['message']}")
        return answer

    def own(self, method, path, body=None): return self.ask(method, f"/session/{self.session}{path}", body)
    def script(self, text, *arguments): return self.own("POST", "/execute/sync", {"script": text, "args": list(arguments)})
    # Two frames later what was changed is painted.
    FRAMES = "const done = arguments[arguments.length - 1]; requestAnimationFrame(() => requestAnimationFrame(() => done(1)))"

    def open(self, address):
        self.own("POST", "/url", {"url": address})
        self.own("POST", "/execute/async", {"script": self.FRAMES, "args": []})
        self.photograph()

    def swap(self, one, other):
        count = self.script("const [from, to] = arguments;" + SWAP, one, other)
        self.own("POST", "/execute/async", {"script": self.FRAMES, "args": []})
        return count

    def photograph(self): return base64.b64decode(self.own("GET", "/screenshot"))

    def close(self): ended(self.process)


def started(command, folder):
    environment = os.environ | {
        "HOME": folder, "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "MOZ_CRASHREPORTER_DISABLE": "1",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def ended(process):
    with contextlib.suppress(ProcessLookupError): os.killpg(process.pid, 9)
    process.wait()


ENGINES = {"chromium": Chromium, "firefox": Firefox, "webkit": WebKit}
# A digit that is painted changes more pixels than this.
PIXELS = 3
# How long a change is waited for until a word counts as not seen.
PAUSES = {"chromium": [0], "firefox": [0], "webkit": [0, .25]}


def seen_words(name, found, scale):
    """For each case, whether an engine paints each word. `scale` compares pictures."""
    server, results = Server([case.document() for case in found]), []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        engine = scale if name == "chromium" else ENGINES[name](server, folder)
        try:
            for number, case in enumerate(found):
                seen = {}
                if name in case.engines:
                    engine.open(server.start + str(number))
                    before = engine.photograph()
                    for word in case.words:
                        if not engine.swap(word, swapped(word)): raise ValueError(f"{FIXTURE}:{case.line}: {word} is not in the tree of {name}")
                        # A photograph can come before the painting, which only a second one shows.
                        for pause in PAUSES[name]:
                            time.sleep(pause)
                            count = scale.difference(before, engine.photograph())
                            seen[word] = count > PIXELS or count < 0
                            if seen[word]: break
                        engine.swap(swapped(word), word)
                results.append(seen)
        finally:
            if engine is not scale: engine.close()
            server.shutdown()
    return results


def compare_engines(found, names, show):
    """Prints where an engine disagrees with the file; the number of such words."""
    faults = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.closing(Chromium(None, folder)) as scale:
        for name in names:
            start = time.time()
            try: results = seen_words(name, found, scale)
            except FileNotFoundError as error: print(f"{name} is not installed ({error})"); continue
            wrong = [(case, word, seen[word]) for case, seen in zip(found, results) for word in seen if case.kind != "state" and seen[word] != case.expected(word)]
            idle = [case for case, seen in zip(found, results) if case.kind == "state" and seen and all(seen[word] for word in seen if word[0] == "r")]
            for case, word, isSeen in wrong[:show]: print(f"{name}: {FIXTURE.name}:{case.line}: {word} is {'seen' if isSeen else 'not seen'} ({case.kind}: {case.title})")
            for case in idle[:show]: print(f"{name}: {FIXTURE.name}:{case.line}: all is seen without an action ({case.title})")
            count = sum(len(seen) for seen in results)
            print(f"{name}: {count} words of {sum(bool(seen) for seen in results)} pages, {len(wrong)} other than the file says, {time.time() - start:.0f} s", flush=True)
            faults += len(wrong)
    return faults


# --- Tamis ---------------------------------------------------------------------------------------------------------------

def answers(command, member, documents):
    """What the command leaves of documents."""
    lines = "".join(json.dumps({"id": str(number), member: text}) + "\n" for number, text in enumerate(documents))
    done = subprocess.run(command, input=lines.encode(), capture_output=True, check=False)
    if done.returncode: sys.exit(f"{' '.join(map(str, command))}: {done.stderr.decode()[:500]}")
    return [json.loads(line).get("html") or "" for line in done.stdout.decode().splitlines()]


def words_of(html): return set(WORD.findall(re.sub(r"<[^>]*>", " ", html)))


def judge(tamis, found, show):
    """Prints what `sanitize` and `article` do with the cases; whether all bars are met."""
    isMet, documents, plain = True, [case.document() for case in found], [case.document(isPlain=True) for case in found]
    for name, command, member in (
            ("sanitize", [tamis, "sanitize", "--jsonl", "--rules", "reading"], "body"), ("article", [tamis, "article", "--jsonl"], "html")):
        outputs, bare = answers(command, member, documents), answers(command, member, plain)
        counts, misses, without = collections.Counter(), collections.defaultdict(list), 0
        for case, output, other in zip(found, outputs, bare):
            kept, possible = words_of(output), words_of(other)
            for word in case.words + WORD.findall(" ".join(AROUND)):
                if word not in possible: without += 1; continue
                kind = "hidden" if word[0] == "h" else "state" if case.kind == "state" else case.kind
                counts[kind] += 1
                if (word in kept) == (kind == "hidden"): misses[kind].append((case, word, output))
        for kind, label, verb in (("hidden", "hidden words", "stayed"), ("way", "seen words of ways", "went"), ("twin", "seen words of twins", "went"),
                                  ("state", "words of states", "went")):
            cases_missed = list(dict.fromkeys(case for case, _, _ in misses[kind]))
            for case in cases_missed[:show]:
                words = " ".join(word for other, word, _ in misses[kind] if other is case)
                print(f"{name}: {verb}: {words} ({FIXTURE.name}:{case.line}: {case.kind}: {case.title})")
                for key in KEYS:
                    for value in case.fields[key]: print(f"    {key}: {value}")
            share = len(misses[kind]) / max(1, counts[kind])
            isMet = isMet and (share <= 1 - BAR if kind == "hidden" else not misses[kind])
            if kind == "hidden": print(f"{name}: {counts[kind] - len(misses[kind])} of {counts[kind]} hidden words went ({1 - share:.3f}, bar {BAR}); {len(cases_missed)} ways with words that stayed")
            else: print(f"{name}: {len(misses[kind])} of {counts[kind]} {label} went (bar 0); {len(cases_missed)} pages")
        if without: print(f"{name}: {without} words are not in the output of the page without its sheets, and not counted")
    return isMet


# --- Real pages ----------------------------------------------------------------------------------------------------------

# Whether each text of at least three words is painted; then a mark is put behind it, and the page is written.
PAINTED = r"""() => {
  const numbers = (color) => { const m = color.match(/^rgba?\(([^)]*)\)$/); return m ? m[1].split(/[ ,/]+/).map(Number) : null };
  const alpha = (color) => { const n = numbers(color); return n && n.length > 3 ? n[3] : 1 };
  const count = (text) => (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[\p{L}\p{N}]+/gu) ?? []).length;
  const [width, height] = [document.documentElement.scrollWidth, document.documentElement.scrollHeight];
  const cross = (one, other) => ({left: Math.max(one.left, other.left), top: Math.max(one.top, other.top), right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom)});
  const has = (box) => box.right - box.left > 1 && box.bottom - box.top > 1;
  const why = (text) => {
    const own = text.parentElement, style = getComputedStyle(own);
    if (!own.checkVisibility({visibilityProperty: true})) return "not visible";
    let opacity = 1;
    for (let e = own; e; e = e.parentElement) opacity *= +getComputedStyle(e).opacity;
    if (opacity <= .05) return "opacity";
    if (parseFloat(style.fontSize) <= 1) return "font-size";
    const range = document.createRange(); range.selectNodeContents(text);
    let boxes = [...range.getClientRects()].map((b) => ({left: b.left + scrollX, top: b.top + scrollY, right: b.right + scrollX, bottom: b.bottom + scrollY})).filter(has);
    if (!boxes.length) return "no area";
    boxes = boxes.map((b) => cross(b, {left: 0, top: 0, right: Math.max(width, innerWidth), bottom: Math.max(height, innerHeight)})).filter(has);
    if (!boxes.length) return "outside";
    // What an ancestor cuts; a box that is positioned is cut by those that its place depends on.
    let position = style.position;
    for (let e = own; e && e !== document.body && e !== document.documentElement; e = e.parentElement) {
      const s = getComputedStyle(e), b = e.getBoundingClientRect();
      const isPlace = e === own || position === "static" || position === "relative" || position === "sticky" || (position === "absolute" && s.position !== "static") || s.transform !== "none";
      if (!isPlace) continue;
      if (e !== own) position = s.position; else position = s.display === "inline" && s.position === "static" ? "static" : s.position;
      if (s.display === "inline" || s.display === "contents") continue;
      const box = {left: b.left + scrollX, top: b.top + scrollY, right: b.right + scrollX, bottom: b.bottom + scrollY};
      if (s.overflowX !== "visible" || s.overflowY !== "visible") {
        // What can be scrolled to is seen, where the box has an area.
        const rolls = /auto|scroll/.test(s.overflowX + s.overflowY);
        boxes = rolls ? (has(box) ? boxes : []) : boxes.map((x) => cross(x, box)).filter(has);
        if (!boxes.length) return "cut";
      }
      if (/^inset\((5\d|[6-9]\d|100)%/.test(s.clipPath)) return "clip-path";
      if (/absolute|fixed/.test(s.position) && /^rect\((0px|1px)(, (0px|1px)){3}\)$/.test(s.clip)) return "clip";
    }
    if (alpha(style.webkitTextFillColor) <= .05 && style.textShadow === "none") return "transparent";
    for (let e = own; e; e = e.parentElement) {
      const s = getComputedStyle(e);
      if (s.backgroundImage !== "none" || s.textShadow !== "none") return "";
      if (alpha(s.backgroundColor) > .5 || e === document.documentElement) {
        const ground = alpha(s.backgroundColor) > .5 ? numbers(s.backgroundColor) : [255, 255, 255], color = numbers(style.webkitTextFillColor);
        return color && ground && [0, 1, 2].every((i) => Math.abs(color[i] - ground[i]) <= 4) ? "color" : "";
      }
    }
    return "";
  };
  const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) if (count(walker.currentNode.data) > 2 && !walker.currentNode.parentElement.closest("script, style, template, textarea, select, title, iframe, noembed, noframes, xmp")) texts.push(walker.currentNode);
  const facts = texts.map((text) => [count(text.data), why(text), text.data.trim().slice(0, 80)]);
  texts.forEach((text, index) => { text.data += ` zq${index}zq ` });
  return [facts, (document.compatMode === "CSS1Compat" ? "<!DOCTYPE html>" : "") + document.documentElement.outerHTML];
}"""
MARK = re.compile(r"\bzq(\d+)zq\b")


def rendered(paths):
    """For each page the texts that Chromium found, [words, why they are not painted, beginning], and the place of the page with marks."""
    known, folder = json.loads(CACHE.read_text()) if CACHE.exists() else {}, CACHE.with_suffix("")
    missing = [path for path in paths if str(path) not in known or not (folder / known[str(path)]["page"]).exists()]
    folder.mkdir(parents=True, exist_ok=True)
    if not missing: return known
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for start in range(0, len(missing), 50):
            # A context for some pages only, since its memory grows.
            context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, java_script_enabled=False, color_scheme="light", reduced_motion="no-preference")
            page = context.new_page()
            for path in missing[start:start + 50]:
                data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
                page.unroute_all()
                page.route("**/*", lambda route: route.fulfill(body=data, content_type="text/html") if route.request.url == "http://page.example/" else route.abort())
                name = f"{abs(hash_of(str(path))):016x}.html.gz"
                try:
                    page.goto("http://page.example/", wait_until="load", timeout=20000)
                    facts, html = page.evaluate(PAINTED)
                except Exception as error:
                    known[str(path)] = {"page": name, "texts": [], "error": str(error)[:200]}
                    facts, html = [], ""
                    page.close(); page = context.new_page()
                else: known[str(path)] = {"page": name, "texts": facts}
                (folder / name).write_bytes(gzip.compress(html.encode("utf-8", "replace"), 3))
            context.close()
            CACHE.write_text(json.dumps(known))
            print(f"rendered {min(start + 50, len(missing))} of {len(missing)} pages", file=sys.stderr, flush=True)
        browser.close()
    return known


def hash_of(text): return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def real(options):
    """Counts the words of real pages that are painted and go as hidden."""
    paths = sorted(path for folder in options.real for path in pathlib.Path(folder).rglob("*") if path.name.endswith((".html", ".html.gz")))
    if options.limit: random.Random(1).shuffle(paths); paths = sorted(paths[:options.limit])
    known, folder = rendered(paths), CACHE.with_suffix("")
    failed = [path for path in paths if known[str(path)].get("error")]
    paths = [path for path in paths if not known[str(path)].get("error")]
    print(f"{len(paths)} pages, {len(failed)} others could not be rendered")
    with tempfile.TemporaryDirectory() as place:
        rules = pathlib.Path(place) / "keep.yaml"
        rules.write_text("name: keep\nextends: reading\nhidden: keep\n")
        for name, command, member in (("sanitize", [options.tamis, "sanitize", "--jsonl"], "body"), ("article", [options.tamis, "article", "--jsonl"], "html")):
            painted = hidden = lost = gone = 0
            reasons, pages, emptied = collections.Counter(), [], []
            for start in range(0, len(paths), 50):
                some = paths[start:start + 50]
                documents = [gzip.decompress((folder / known[str(path)]["page"]).read_bytes()).decode() for path in some]
                # An article is without what its page hides under any rules, so that sheets are taken out there.
                if name == "sanitize": kept = answers(command + ["--rules", str(rules)], member, documents)
                else: kept = answers(command, member, [STYLES.sub("", text) for text in documents])
                dropped = answers(command, member, documents)
                for path, one, other in zip(some, kept, dropped):
                    one, other = ({int(number) for number in MARK.findall(html)} for html in (one, other))
                    losses, total = [], sum(known[str(path)]["texts"][number][0] for number in one)
                    # What waits for scripts is not painted without them, so that pages that lose much are told besides.
                    less = sum(known[str(path)]["texts"][number][0] for number in one - other)
                    if less * 5 > total: emptied.append((less / total, less, path))
                    for number in sorted(one):
                        words, why, text = known[str(path)]["texts"][number]
                        if why: hidden += words
                        else: painted += words
                        if number in other: continue
                        if why: gone += words; reasons[why] += words
                        else: lost += words; losses.append((words, text))
                    if losses: pages.append((sum(words for words, _ in losses), path, losses))
            print(f"{name}: {lost} of {painted} painted words went{' by sheets' if name == 'article' else ' as hidden'} ({lost / max(1, painted):.5%}), on {len(pages)} pages; "
                  f"{gone} of {hidden} words that are not painted went ({gone / max(1, hidden):.1%}: {', '.join(f'{why} {words}' for why, words in reasons.most_common())})")
            for words, path, losses in sorted(pages, key=lambda page: -page[0])[:options.show]:
                print(f"    {words} words of {path}")
                for count, text in sorted(losses, reverse=True)[:3]: print(f"        {count}: {' '.join(text.split())}")
            print(f"{name}: {len(emptied)} pages lost more than a fifth of their words, painted or not")
            for share, words, path in sorted(emptied, reverse=True)[:options.show]: print(f"    {share:.0%}, {words} words of {path}")
    return 0


def main():
    options = argparse.ArgumentParser()
    options.add_argument("tamis"); options.add_argument("--engines", default="chromium,firefox,webkit")
    options.add_argument("--no-engines", action="store_true"); options.add_argument("--show", type=int, default=10)
    options.add_argument("--only", help="cases whose title has this text"); options.add_argument("--real", nargs="+", help="folders of saved pages")
    options.add_argument("--limit", type=int, default=0)
    options = options.parse_args()
    if options.real: return real(options)
    found = [case for case in cases(FIXTURE) if not options.only or options.only in case.title]
    kinds = collections.Counter(case.kind for case in found)
    print(f"{kinds['way']} ways, {kinds['twin']} twins, {kinds['state']} states")
    faults = 0 if options.no_engines else compare_engines(found, options.engines.split(","), options.show)
    return 0 if judge(options.tamis, found, options.show) and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
