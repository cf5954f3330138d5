"""Sees that what is shown of an item lacks nothing of the richest text that the item has.

    bodies.py TAMIS [FOLDER ...] [--accepted]

Reads each feed with expat and each body with html.parser, which share neither code nor lists with what is tested. Of each item,
every element that could be its body is read: `content:encoded`, `description`, `summary`, `content`, `itunes:summary`,
`media:description`, `yandex:full-text`, an XHTML `body`, escaped, in CDATA or inline. The richest has the most words, links and
pictures. Then `tamis extract --jsonl` is asked what is shown. A link, a picture or ten words in a row that are in the one and not
in the other, and tags that are shown as text, are a failure, unless a row of ACCEPTED says why. --accepted lists what was accepted, with its reason. Documents that
expat refuses are counted; what is to become of them is tested by `make check-faults`.

Without folders: the feeds in Fixtures, and those in ../shared/feeds/real if there are any.
"""
import argparse
import base64
import collections
import dataclasses
import html
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import unicodedata
import urllib.parse
import xml.parsers.expat

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Local names, in namespaces of which one of these is a part: others have elements that are called so and are not the body.
NAMESPACES = r"^$|purl\.org|w3\.org|itunes|mrss|yandex|google|rss|atom|netscape|userland|backend\.blogger|flipboard|wordpress"
BODIES = {"encoded", "description", "summary", "content", "full-text", "fulltext", "body", "abstract", "subtitle", "text"}
MEDIA = "search.yahoo.com/mrss"
# A body's weight: a link or a picture is worth as many words.
WORDS_OF_A_LINK = 5
# So many words in a row may not be missing.
RUN = 10


# The raw document.


class Element:
    def __init__(self, name, attributes, parent):
        self.space, _, self.name = name.rpartition(" ")
        self.attributes = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        self.parent, self.children = parent, []

    def elements(self):
        return [child for child in self.children if isinstance(child, Element)]

    def markup(self, is_escaped):
        """The content as HTML; characters of the XML text are text when is_escaped, else they are markup themselves."""
        parts = []
        for child in self.children:
            if isinstance(child, str):
                parts.append(html.escape(child, quote=False) if is_escaped else child)
                continue
            attributes = "".join(f' {key}="{html.escape(value)}"' for key, value in child.attributes.items())
            inner = child.markup(is_escaped)
            is_void = not child.children and child.name in {"img", "br", "hr", "source", "embed", "wbr", "track", "input"}
            parts.append(f"<{child.name}{attributes}>" + ("" if is_void else f"{inner}</{child.name}>"))
        return "".join(parts)

    def text(self):
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def walk(self):
        yield self
        for child in self.elements():
            yield from child.walk()


def parsed(data):
    """The root element; raises ExpatError."""
    root = Element("", {}, None)
    here = [root]

    def start(name, attributes):
        element = Element(name, attributes, here[-1])
        here[-1].children.append(element)
        here.append(element)

    def characters(text):
        children = here[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += text
        else:
            children.append(text)

    parser = xml.parsers.expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler, parser.CharacterDataHandler = start, characters
    parser.EndElementHandler = lambda name: here.pop()
    parser.Parse(data, True)
    return root.elements()[0]


def well_formed(data):
    """The root element, None when the document is not well-formed."""
    declared = re.match(rb"\s*<\?xml[^>]*?(\sencoding=[\"']([\w.-]+)[\"'])[^>]*\?>", data)
    attempts = [data]
    if declared:
        rest = data[declared.end():]
        try:
            # What is UTF-8 is UTF-8, whatever it calls itself.
            rest.decode("utf-8")
            attempts.insert(0, rest)
        except ValueError:
            # An encoding that expat does not have.
            attempts.append(lambda: rest.decode(declared[2].decode()).encode())
    for attempt in attempts:
        try:
            return parsed(attempt() if callable(attempt) else attempt)
        except (xml.parsers.expat.ExpatError, ValueError, LookupError):
            pass
    return None


# What a text has.


@dataclasses.dataclass
class Link:
    url: str
    text: str = ""
    has_picture: bool = False


@dataclasses.dataclass
class Picture:
    url: str
    attributes: dict


UNSHOWN = {"script", "style", "template", "noframes", "noembed", "iframe", "head", "canvas", "datalist", "select", "textarea", "title",
           "object", "applet", "svg", "math", "button"}
# Styles whose element no browser shows.
HIDDEN = re.compile(r"(^|;)(display:none|visibility:hidden|opacity:0|font-size:0(px)?|(margin-)?left:-\d{4,}px)(!important)?(;|$)", re.I)
INLINE = {"a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark",
          "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"}
EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}


class Reader(html.parser.HTMLParser):
    """The words, links and pictures of a text."""

    # Elements in which no tags are read (HTML Standard, 13.2.6.4.7); html.parser knows the first two.
    CDATA_CONTENT_ELEMENTS = ("script", "style", "xmp")

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.characters, self.links, self.pictures, self.open, self.unshown = [], [], [], [], []
        self.feed(complete(text))
        self.close()
        self.text = "".join(self.characters)
        self.words = words(self.text)

    def handle_starttag(self, tag, attributes):
        attributes = {key: value or "" for key, value in reversed(attributes)}
        if tag not in INLINE:
            self.characters.append(" ")
        if self.unshown:
            if tag == self.unshown[-1]:
                self.unshown.append(tag)
            return
        if tag == "a":
            self.open = [Link(attributes["href"])] if attributes.get("href", "").strip() else []
            self.links += self.open
        elif tag in {"img", "amp-img"}:
            self.add_picture(attributes)
        elif tag in UNSHOWN or tag not in EMPTY and HIDDEN.search("".join(attributes.get("style", "").split())):
            self.unshown.append(tag)

    def add_picture(self, attributes):
        for link in self.open:
            link.has_picture = True
        names = ["src", "data-src", "data-lazy-src", "data-original"]
        urls = [attributes[name] for name in names if attributes.get(name, "").strip()]
        if urls:
            # What a script puts in the place of a blank one is the picture.
            blank = urls[0].startswith("data:") or re.search(r"blank|spacer|placeholder|grey|pixel", urls[0])
            self.pictures.append(Picture(urls[1] if blank and len(urls) > 1 else urls[0], attributes))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        if tag not in INLINE:
            self.characters.append(" ")
        if self.unshown and tag == self.unshown[-1]:
            self.unshown.pop()
        if tag == "a":
            self.open = []

    def handle_data(self, text):
        if self.unshown:
            return
        self.characters.append(text)
        for link in self.open:
            link.text += text

    @property
    def weight(self):
        return len(self.words) + WORDS_OF_A_LINK * (len(self.links) + len(self.pictures))


def complete(text):
    """The text without a comment or a tag that is never ended, which holds nothing (HTML Standard, 13.2.5: EOF in a tag, in a comment)."""
    start = text.rfind("<!--")
    if start >= 0 and "-->" not in text[start:]:
        text = text[:text.find("<!--", text.rfind("-->") + 1)]
    return re.sub(r"""<[a-z][^<>"']*=\s*("[^"]*|'[^']*)$""", "", text, flags=re.I)


def words(text):
    text = unicodedata.normalize("NFKC", text).casefold()
    # Marks and format characters are no ends of words; each ideograph is one.
    text = "".join(each for each in text if unicodedata.category(each) not in {"Cf", "Mn"})
    return re.findall(r"[\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]|[^\W\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]+", text)


def is_markup(text):
    """Whether text that may be plain is markup: it has a tag that is ended, or a void one, of a name that HTML has."""
    return bool(re.search(r"<([a-z][a-z0-9]*)(\s[^<>]*)?>.*</\1\s*>|<(br|img|hr|p|area|embed|iframe|link|object|script)\b[^<>]*>|<!--", text, re.S | re.I))


def body_markup(element):
    """What an element says, as HTML."""
    kind = element.attributes.get("type", "").lower().strip()
    is_atom = "atom" in element.space.lower()
    is_inline = bool(element.elements())
    if is_atom and element.attributes.get("src"):
        return ""
    text = element.text()
    if is_atom and kind == "text":
        return html.escape(text, quote=False)
    if is_inline and kind in {"xhtml", "application/xhtml+xml", "text/xml"} and element.attributes.get("mode") != "escaped":
        return element.markup(is_escaped=True)
    if is_inline:
        # Tags beside references to tags: the text was escaped, and something real was put behind it.
        return element.markup(is_escaped=not is_markup("".join(each for each in element.children if isinstance(each, str))))
    if element.attributes.get("mode") == "base64" or (kind and not kind.startswith(("text", "html", "xhtml", "plain", "application/xhtml"))):
        return ""
    if kind in {"plain", "text/plain", "text"} and not is_markup(text):
        return html.escape(text, quote=False)
    # A text without markup is plain: `a < b` is no tag.
    return text if is_markup(text) or "&" in text else html.escape(text, quote=False)


def items(root):
    for element in root.walk():
        if element.name in {"item", "entry"} and element.parent.name in {"channel", "feed", "rss", "RDF", "items"}:
            yield element


def bodies(item):
    """The name of each element that could be the body, and what it has."""
    inner = []
    for element in item.elements():
        is_media = MEDIA in element.space
        inner += element.elements() if is_media and element.name == "group" else [] if is_media and element.name == "content" else [element]
    found = [(each.name, Reader(markup)) for each in inner
             if each.name in BODIES and re.search(NAMESPACES, each.space, re.I) and (markup := body_markup(each)).strip()]
    if found:
        return found
    # A description in `media:content` is of one file of several; of a single file it is all that the item says.
    files = [each for each in item.walk() if MEDIA in each.space and each.name == "content"]
    texts = [each for file in files for each in file.elements() if each.name == "description"] if len(files) == 1 else []
    return [(each.name, Reader(body_markup(each))) for each in texts]


# Comparing.


def url_key(url):
    """What is compared of a URL: neither scheme nor `www.`, how it is escaped, nor which parameters track."""
    url = re.sub(r"[\t\r\n]", "", url.strip())
    url = re.sub(r"^//", "http://", url.replace("\\", "/"))
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        return url.casefold()
    query = "&".join(each for each in re.split("[&;]", parts.query) if each and not TRACKING.match(each))
    host = parts.netloc.casefold()
    try:
        host = host.encode("ascii").decode("idna")
    except UnicodeError:
        pass
    host = re.sub(r"^www\.|:(80|443)$|\.$", "", host.rpartition("@")[2])
    path = re.sub(r"/+$", "", parts.path)
    scheme = "" if parts.scheme in {"http", "https", ""} else parts.scheme + ":"
    key = scheme + host + path + ("?" + query if query else "") + ("#" + parts.fragment if parts.fragment else "")
    return unicodedata.normalize("NFC", urllib.parse.unquote(key, errors="replace")).casefold().replace("+", " ")


TRACKING = re.compile(r"(utm_|fb|mc_|ga_|pk_|hsa_|_hs|itm_|mtm_|at_)\w+=|(gclid|dclid|msclkid|igshid|cmpid|ncid|ref|source|_openstat|yclid|ved|usg|sa|cmp|CMP)=", re.I)


@dataclasses.dataclass
class Lack:
    """What is missing: a `link`, a `picture`, `words`, or `markup`, which is shown as text."""

    kind: str
    what: str
    #: the link or picture; the number of words
    value: object
    item: Element
    shown: Reader
    entry: dict
    body: Reader


def is_relative(url):
    return not re.match(r"[a-z][a-z0-9+.-]*:|//", clean(url), re.I)


def number(text):
    match = re.match(r"\s*(\d+)", text or "")
    return int(match[1]) if match else None


def is_pixel(picture):
    sizes = [number(picture.attributes.get(name)) for name in ("width", "height")]
    style = picture.attributes.get("style", "").replace(" ", "")
    return (all(size is not None and size <= 2 for size in sizes) or re.search(r"(width|height):[01](px|[;\"]|$)", style)
            or "display:none" in style)


TRACKERS = re.compile(
    r"feeds?\.feedburner\.com/~r/|feedsportal\.com/|doubleclick\.net/|//(stats|pixel)\.(wordpress|wp)\.com/|google-analytics\.com/|//feeds\.wordpress\.com/1\.0/|"
    r"scorecardresearch\.com/|quantserve\.com/|//medium\.com/_/stat\?", re.I)
KNOWN = re.compile(r"(https?|mailto|tel|s?ftp|sms|xmpp|ircs?|news|nntp|magnet|feed|geo|gopher|gemini):|data:image/", re.I)


def was_said(lack, code):
    return any(each.get("code", "").startswith(code) for each in lack.entry.get("findings", []))


NAMES = {"link": "a link that is not shown", "picture": "a picture that is not shown", "words": "words that are not shown",
         "markup": "markup that is shown as text"}
# Tags that are shown as text.
TAGS = re.compile(r"</?(?:p|div|a|b|i|em|strong|br|img|ul|ol|li|h[1-6]|span|table|tr|td|blockquote)(?:\s[^<>]*)?/?>", re.I)
# Why something may be missing: a name, the kinds of lack, the rule that says so, and the test.
ACCEPTED = [
    ("tracking pixel", {"picture"}, "rules `remove-tracking-pixels`: a picture of at most 2 by 2 pixels, or hidden by its style",
     lambda lack: is_pixel(lack.value)),
    ("tracking host", {"picture"}, "rules `tracking-hosts`: pictures that count readers",
     lambda lack: TRACKERS.search(lack.value.url)),
    ("refused scheme", {"link", "picture"}, "rules `schemes`: an address that is script, a file of the reader's, or unknown",
     lambda lack: not is_relative(clean(lack.value.url)) and not KNOWN.match(clean(lack.value.url))),
    ("not a URL", {"link", "picture"}, "URL Standard: what cannot be parsed is no address", lambda lack: not parses(lack.value.url)),
    ("relative address without a base", {"link", "picture"}, "finding `extract.no-base`: nothing says what to resolve it against",
     lambda lack: is_relative(lack.value.url) and was_said(lack, "extract.no-base")),
    ("link without content", {"link"}, "a link that shows nothing cannot be followed",
     lambda lack: not words(lack.value.text) and not lack.value.has_picture),
    ("link around what went", {"link"}, "a link whose only content is a picture that went is removed with it",
     lambda lack: not words(lack.value.text) and lack.value.has_picture and any(accepts(each) for each in pictures_lacking(lack))),
]


def accepts(lack):
    return next((row for row in ACCEPTED if lack.kind in row[1] and row[3](lack)), None)


def pictures_lacking(lack):
    return [Lack("picture", each.url, each, lack.item, lack.shown, lack.entry, lack.body) for each in lack.body.pictures]


def clean(url):
    return re.sub(r"[\t\r\n]", "", url).strip("".join(map(chr, range(33)))).replace("\\", "/")


def parses(url):
    try:
        parts = urllib.parse.urlsplit(url.strip())
        return not re.search(r"[\s<>^|%]", urllib.parse.unquote(parts.netloc)) and (parts.port or True)
    except ValueError:
        return False


def lacks(item, body, entry):
    shown = Reader(entry["html"])
    context = dict(item=item, shown=shown, entry=entry, body=body)
    found = re.findall(r'(?:href|src|poster)="([^"]*)"', entry["html"])
    found += [each.split()[0] for value in re.findall(r'srcset="([^"]*)"', entry["html"]) for each in value.split(", ") if each.strip()]
    keys = {url_key(html.unescape(each)) for each in found}

    def is_there(url):
        key = url_key(url)
        if not is_relative(url):
            # A link to the page itself may be its fragment alone, under another prefix.
            return key in keys or "#" in key and any(each.rpartition("-")[2] == key.rpartition("#")[2] for each in keys if "#" in each)
        tail = re.sub(r"^(\.{0,2}/)+", "", key)
        return any(each.endswith(tail.rpartition("#")[2] if "#" in tail else tail) for each in keys)

    for link in body.links:
        if not is_there(link.url):
            yield Lack("link", link.url, link, **context)
    for picture in body.pictures:
        if not is_there(picture.url):
            yield Lack("picture", picture.url, picture, **context)
    if len(TAGS.findall(shown.text)) > len(TAGS.findall(body.text)):
        yield Lack("markup", TAGS.search(shown.text)[0], None, **context)
    for run in missing_runs(body.words, shown.words):
        yield Lack("words", " ".join(run[:12]), run, **context)


def richest(item, found, entry):
    """The name of the richest body, and what is missing of it.

    Of texts that say different things and weigh nearly the same, such as two abstracts, the one that is shown better counts.
    """
    best = max(found, key=lambda each: each[1].weight)
    others = [each for each in found if each is not best and each[1].weight >= 0.75 * best[1].weight and not are_twins(each[1], best[1])]
    judged = [(each[0], list(lacks(item, each[1], entry))) for each in [best, *others]]
    return min(judged, key=lambda each: sum(accepts(lack) is None for lack in each[1]))


def are_twins(one, other):
    """Whether one of two texts is the other's plain form, or its beginning."""
    fewer, more = sorted([one.words, other.words], key=len)
    there = set(zip(more, more[1:]))
    pairs = list(zip(fewer, fewer[1:]))
    return 2 * sum(pair in there for pair in pairs) >= len(pairs)


def missing_runs(wanted, shown):
    """Runs of ten words or more of which none stands in what is shown beside its neighbours; a short text as a whole."""
    width = 3 if len(wanted) > 3 else min(1, len(wanted))
    if not width:
        return
    there = {tuple(shown[start:start + width]) for start in range(len(shown) - width + 1)}
    covered = [False] * len(wanted)
    for start in range(len(wanted) - width + 1):
        if tuple(wanted[start:start + width]) in there:
            covered[start:start + width] = [True] * width
    run = []
    for word, is_covered in zip([*wanted, None], [*covered, True]):
        if not is_covered:
            run.append(word)
            continue
        if len(run) >= min(RUN, len(wanted)):
            yield run
        run = []


# Running.


def feeds(folders):
    for folder in folders:
        path = pathlib.Path(folder)
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if not file.is_file() or file.suffix in {".txt", ".md", ".json", ".html"}:
                continue
            data = file.read_bytes()
            if re.search(rb"<(\w+:)?(rss|feed|RDF|channel)[\s>]", data[:4000]):
                yield file, data


def answers(tamis, named):
    """What is shown of each document: the answer of `tamis extract` by file."""
    records = "".join(
        json.dumps({"id": str(file), "body64": base64.b64encode(data).decode()}) + "\n" for file, data in named)
    result = subprocess.run([tamis, "extract", "--jsonl", "--max-record", "256M"], input=records.encode(), capture_output=True, check=True)
    for line in result.stdout.split(b"\n"):
        if line:
            answer = json.loads(line)
            yield answer["id"], answer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tamis")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--accepted", action="store_true")
    options = parser.parse_args()
    real = ROOT.parent / "shared" / "feeds" / "real"
    folders = options.folders or [ROOT / "Fixtures", *([real] if real.is_dir() else [])]
    named = list(feeds(folders))
    if not named:
        sys.exit(f"no feeds in {', '.join(map(str, folders))}")
    answered = dict(answers(options.tamis, named))
    counts, reasons = collections.Counter(), collections.Counter()
    for file, data in named:
        root = well_formed(data)
        if root is None:
            counts["documents that are not well-formed"] += 1
            continue
        counts["documents"] += 1
        entries, raw = answered[str(file)].get("entries", []), list(items(root))
        if len(entries) != len(raw):
            # What has nothing that could be shown is no entry.
            raw = [item for item in raw if bodies(item) or any(each.name in {"title", "link", "guid", "id", "enclosure"} for each in item.elements())]
        if len(entries) != len(raw):
            counts["failures"] += 1
            print(f"{file}: {len(raw)} items and {len(entries)} entries: {answered[str(file)].get('error', '')}")
            continue
        for number, (item, entry) in enumerate(zip(raw, entries), 1):
            counts["items"] += 1
            named_so = {None, *(each.text().strip() for each in item.elements())}
            entry["findings"] = [each for each in answered[str(file)].get("findings", []) if each.get("entry") in named_so]
            found = bodies(item)
            if not found:
                continue
            counts["texts"] += 1
            name, all_lacks = richest(item, found, entry)
            for lack in all_lacks:
                row = accepts(lack)
                if row:
                    reasons[row[0]] += 1
                if row and not options.accepted:
                    continue
                counts["failures"] += row is None
                print(f"{file}, item {number} ({entry.get('title', '')[:40]}): <{name}> has {NAMES[lack.kind]}: {lack.what[:160]}"
                      + (f" ({row[0]})" if row else ""))
    failures = counts.pop("failures", 0)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    for name, _, rule, _ in ACCEPTED:
        if reasons[name]:
            print(f"accepted {reasons[name]}: {name} ({rule})")
    print(f"{failures} to be explained or mended" if failures else "nothing is missing")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
