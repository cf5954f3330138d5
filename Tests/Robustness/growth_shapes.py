"""Shapes of markup for growth.py: something long beside many small things, in each order.

A step back over what was written, or a second look at what was read, costs little by itself. It costs the square of the input when
something long stands where each of many small things looks back to. So each kind of long thing is put before, behind and around
many of each kind of small thing, and into a link around both. What a combination costs is compared with what its two halves cost
alone; what stands out is measured again at four sizes.
"""
import concurrent.futures
import json
import os
import pathlib
import select
import subprocess
import time

URL = "https://h.example/x"
# Where a step back over 24 KB costs 10 microseconds, this is enough to see it: there are hundreds of small things in the other half.
SIZE = 48 << 10
SIZES = [64 << 10, 128 << 10, 256 << 10, 512 << 10]
# A combination is measured again when it costs so many times what its halves cost, and so many seconds besides.
SUSPECT, SUSPECT_SECONDS = 2, 0.004
# Work grows with the square when twice the input costs four times as much. Half way between that and twice is a failure.
GROWTH, LEAST_SECONDS = 3, 0.05


def fill(size, text):
    return text * max(1, size // len(text))


def numbered(size, text):
    return "".join(text.replace("#", str(n)) for n in range(max(1, size // (len(text) + 3))))


def marks(size):
    """Combining marks that Unicode's normal form sorts, the square of their number."""
    return fill(size, "\u0301\u0316")


def encoded(size):
    """The same marks, percent-encoded."""
    return fill(size, "%CC%81%CC%96")


# Long values, as attributes and as content. What a name can be is one of the tags of CARRIERS.
ATTRIBUTES = {
    "attribute": lambda n: f' title="{"A" * n}"',
    "attribute of blanks": lambda n: f' title="{" " * n}"',
    "references in an attribute": lambda n: f' alt="{fill(n, "&lt;&#x41;")}"',
    "attributes": lambda n: numbered(n, " a#=b"),
    "id": lambda n: f' id="{fill(n, "i ")}"',
    "classes": lambda n: f' class="{numbered(n, "language-# ")}"',
    "styles": lambda n: f' style="{fill(n, "color:red;")}"',
    "query": lambda n: f' href="{URL}?{numbered(n, "a#=b&")}" src="{URL}?{numbered(n // 8, "a#=b&")}"',
    "path": lambda n: f' src="{URL}{fill(n, "/a/..")}" href="{URL}/{fill(n // 8, "a/")}"',
    "path and back": lambda n: f' href="{URL}/{fill(n // 2, "a/")}{fill(n // 2, "../")}" src="{URL}/{fill(n // 2, "a/")}{fill(n // 2, "%2e%2e/")}"',
    "host": lambda n: f' href="https://{fill(n, "a.")}b/" src="https://{fill(n // 8, "a.")}b/"',
    "list of sources": lambda n: f' src="{URL}" srcset="{numbered(n, URL + "/# #w, ")}"',
    "marks": lambda n: f' title="a{marks(n)}" alt="{marks(n)}"',
    "name of marks": lambda n: f' a{marks(n)}="x"',
    # A mark takes six bytes, and their number counts.
    "query of marks": lambda n: f' href="{URL}?{encoded(3 * n)}=1" src="{URL}?a={encoded(n)}"',
    "data": lambda n: f' src="data:image/png;base64,{"A" * n}"',
}
TAGS = {"img": "", "b": "", "span": "</span>", "div": "</div>", "a": "</a>", "td": "</td>", "li": "</li>", "x-y": "</x-y>", "svg": "</svg>"}
CONTENTS = {
    "text": lambda n: ("A" * n, ""),
    "words": lambda n: (fill(n, "some words "), ""),
    "marks": lambda n: ("a" + marks(n), ""),
    "name of marks": lambda n: (f"<a{marks(n)}>", ""),
    "blanks": lambda n: (" " * n, ""),
    "line ends": lambda n: (fill(n, "a\n"), ""),
    "references": lambda n: (fill(n, "&amp;&#x41;"), ""),
    "references without an end": lambda n: (fill(n, "&am&#"), ""),
    "comment": lambda n: (f"<!--{'A' * n}-->", ""),
    "script": lambda n: (f"<script>{'A' * n}</script>", ""),
    "preformatted text": lambda n: ("<pre>" + fill(n, "a  b\n"), "</pre>"),
    "blocks in blocks": lambda n: (fill(n // 2, "<div>"), fill(n // 2, "</div>")),
    "formatting in formatting": lambda n: (fill(n, "<b>"), fill(n // 2, "</b>")),
    "lists in lists": lambda n: (fill(n // 2, "<ul><li>"), fill(n // 2, "</ul>")),
    "siblings": lambda n: (fill(n, "<p>a</p>"), ""),
    "links": lambda n: (fill(n, f'<a href="{URL}">a</a>'), ""),
    "cells": lambda n: ("<table><tr>" + fill(n, "<td>a</td>"), "</table>"),
    "drawing": lambda n: ("<svg><g>" + fill(n, '<path d="M0 0"/>'), "</g></svg>"),
}
# Small things, of each kind of tag.
SMALL = {
    "br": "<br>", "hr": "<hr>", "wbr": "<wbr>", "input": "<input>", "picture": f'<img src="{URL}">', "pixel": f'<img src="{URL}" width=1 height=1>',
    "picture without a source": "<img>", "b": "<b>x</b>", "b without an end": "<b>", "span": "<span>x</span>", "blank span": "<span> </span>",
    "p": "<p>x", "empty p": "<p></p>", "div": "<div>x</div>", "empty div": "<div></div>", "heading": "<h2>x</h2>", "quotation": "<blockquote>x</blockquote>",
    "link": f'<a href="{URL}">x</a>', "blank link": f'<a href="{URL}"> </a>', "link without an end": f'<a href="{URL}">', "anchor": "<a name=n></a>",
    "iframe": f'<iframe src="{URL}"></iframe>', "object": f'<object data="{URL}"></object>', "embed": f'<embed src="{URL}">',
    "video": f'<video src="{URL}"></video>', "audio": f'<audio src="{URL}"></audio>', "picture with sources": f'<picture><source srcset="{URL}"><img src="{URL}"></picture>',
    "figure": f'<figure><img src="{URL}"><figcaption>x</figcaption></figure>', "captioned box": f'<div><img src="{URL}"><p class=caption>x</p></div>',
    "linked picture": f'<a href="{URL}"><img src="{URL}"></a>', "cell": "<td>x</td>", "row": "<tr>x", "table": "<table><tr><td>x</table>", "col": "<col>",
    "li": "<li>x", "dt": "<dt>x<dd>y", "list": "<ul><li>x</ul>", "details": "<details><summary>x</summary></details>",
    "svg": "<svg><path/></svg>", "math": "<math><mi>x</mi></math>", "svg title": "<svg><title>x</title></svg>",
    "object in a cell": "<td><object><b></b>", "html": "<html a=b>",
    "template": "<template>x</template>", "select": "<select><option>x</select>", "button": "<button>x</button>", "form": "<form>x</form>",
    "unknown": "<x-y>x</x-y>", "amp-img": f'<amp-img src="{URL}"></amp-img>', "noscript": f'<noscript><img src="{URL}"></noscript>',
    "script": "<script>x</script>", "style": "<style>x</style>", "xmp": "<xmp>x</xmp>", "textarea": "<textarea>x</textarea>", "title": "<title>x</title>",
    "comment": "<!--x-->", "comment without an end": "<!-- ", "instruction": "<?x?>", "end of p": "</p>", "end of b": "</b>", "end of a": "</a>",
    "end of div": "</div>", "end of nothing": "</x>", "ruby": "<ruby>x<rt>y</ruby>", "q": "<q>x</q>", "sup": "<sup>1</sup>", "center": "<center>x</center>",
    "quoting script": '<blockquote class="twitter-tweet">x</blockquote><script src="//platform.twitter.com/widgets.js"></script>',
    "letter": "x ", "reference": "&amp;", "less-than": "< ", "line end": "\n", "zero width": "\u200b", "mark": "\u0301",
}
ORDERS = {
    "before": lambda start, end, many: start + end + many,
    "behind": lambda start, end, many: many + start + end,
    "around": lambda start, end, many: start + "t" + many + end,
    "in a link, around": lambda start, end, many: f'<a href="{URL}">{start}t{many}{end}</a>',
}


def carriers():
    """Long things by name: a function of the size that gives what begins and what ends them."""
    for tag, end in TAGS.items():
        for name, attributes in ATTRIBUTES.items():
            # A tag of each kind for what any tag may have, and the tags that read an address for what is one.
            if name in {"attribute", "styles"} or (tag == "a" and name in {"query", "host", "id", "path and back"}) or (
                    tag == "img" and name not in {"id", "classes"}) or (tag == "span" and name in {"attributes", "id", "classes", "attribute of blanks", "name of marks"}):
                yield f"a <{tag}> with a long {name}", lambda n, tag=tag, end=end, make=attributes: (f"<{tag}{make(n)}>", end)
    for name, make in CONTENTS.items():
        yield f"many or long {name}", make


class Worker:
    """A process that answers records, and the processor time that an answer costs."""

    LONGEST = 20

    def __init__(self, tamis, arguments, as_body):
        self.command, self.as_body, self.process = [tamis, *arguments], as_body, None

    def spent(self):
        """Seconds of processor time so far, of all threads."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        if not tasks.exists():
            return time.monotonic()
        total = 0
        for task in tasks.iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except (OSError, IndexError):
                pass
        return total / 1e9

    def seconds(self, text):
        """What an answer costs; LONGEST when there is none."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        record = json.dumps({"id": 1, "body": self.as_body(text)}).encode() + b"\n"
        before = self.spent()
        self.process.stdin.write(record)
        self.process.stdin.flush()
        start, output = time.monotonic(), self.process.stdout.fileno()
        while True:
            left = self.LONGEST - (time.monotonic() - start)
            if not select.select([output], [], [], max(0, left))[0]:
                break
            piece = os.read(output, 1 << 20)
            if piece.endswith(b"\n"):
                return self.spent() - before
            if not piece:
                break
        self.stop()
        return self.LONGEST

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None


def feed(text):
    return ('<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><item><title>a</title><link>http://e.example/1</link>'
            f"<description><![CDATA[{text}]]></description></item></channel></rss>")


def page(text):
    return f"<!DOCTYPE html><html><head><title>t</title></head><body><article><h1>t</h1>{fill(2000, '<p>Some words of an article, and a comma.</p>')}{text}</article></body></html>"


# Commands, the orders that are tried with each, and one of how many combinations: what they share is tried by the first. Each long
# thing meets each small one as often as another, because the numbers are prime and the count of small things is no multiple of them.
COMMANDS = [
    ("sanitize", ["sanitize", "--jsonl"], str, ORDERS, 1),
    ("sanitize --tidy always", ["sanitize", "--jsonl", "--tidy", "always"], str, ["before", "in a link, around"], 5),
    ("extract", ["extract", "--jsonl"], feed, ["before", "in a link, around"], 5),
    ("article", ["article", "--jsonl"], page, ["before", "in a link, around"], 5),
]
assert all(step == 1 or len(SMALL) % step for *_, step in COMMANDS)


def grows(worker, make):
    """The times at up to four sizes, and whether they grow faster than the input."""
    times = []

    def is_growing():
        if times[-1] < LEAST_SECONDS:
            return False
        # Other work on the machine makes one measurement long, not the last as long against each of two before.
        return times[-1] >= worker.LONGEST or all(
            times[-1] > GROWTH**steps * times[-1 - steps] for steps in (1, 2) if steps < len(times))

    for size in SIZES:
        times.append(min(worker.seconds(make(size)) for _ in range(2)))
        if len(times) == 2 and times[1] < 2.3 * times[0]:
            return times, False
        if times[-1] > (2 if len(times) > 2 else worker.LONGEST / 2):
            break
    # Other work on the machine is no growth.
    for index in range(len(times)) if is_growing() else []:
        times[index] = min(times[index], worker.seconds(make(SIZES[index])))
    return times, is_growing()


class Measurement:
    """The combinations of one command and order."""

    def __init__(self, tamis, command, order, only):
        self.name, arguments, as_body, _, self.step = command
        self.worker, self.order, self.only = Worker(tamis, arguments, as_body), order, only
        self.count, self.failed = 0, []

    def measure(self, name, make, limit):
        """Whether a shape costs what it may."""
        if self.only not in name:
            return True
        self.count += 1
        if self.worker.seconds(make(SIZE)) <= limit:
            return True
        times, is_growing = grows(self.worker, make)
        if is_growing:
            self.failed.append(f"{name}: " + ", ".join(f"{size >> 10} KB {each:.2f} s" for size, each in zip(SIZES, times)))
            print(self.failed[-1], flush=True)
        return not is_growing

    def halves(self, shapes):
        """What each costs alone, at half the size."""
        costs = {}
        for name, shape in shapes:
            self.measure(f"{self.name}: {name} alone", shape, 0.02)
            costs[name] = self.worker.seconds(shape(SIZE // 2))
        return costs

    def run(self):
        self.worker.seconds("<p>warm</p>" * 1000)
        small = self.halves((name, lambda n, text=text: fill(n, text)) for name, text in SMALL.items())
        long = self.halves((name, lambda n, carrier=carrier: "".join(carrier(n))) for name, carrier in carriers())
        # One failure of a small thing is enough to look for what looks back from there.
        open_cases = set(SMALL)
        for number, (long_name, carrier, small_name, text) in enumerate(
                (*long_thing, *small_thing) for long_thing in carriers() for small_thing in SMALL.items()):
            if number % self.step or small_name not in open_cases:
                continue
            is_in_order = self.measure(
                f"{self.name}: {long_name} {self.order} many {small_name}",
                lambda n: ORDERS[self.order](*carrier(n // 2), fill(n // 2, text)),
                SUSPECT * (small[small_name] + long[long_name]) + SUSPECT_SECONDS)
            if not is_in_order:
                open_cases.discard(small_name)
        self.worker.stop()
        return self


# Elements of the HTML Standard and of older ones: each is left open before many of each.
ELEMENTS = """a abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption center cite code col colgroup data
datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h6 header hgroup hr i img input ins kbd label
legend li main map mark math menu meter nav nobr ol optgroup option output p picture pre progress q rp rt ruby s samp search section select small
source span strike strong sub summary sup svg table tbody td textarea tfoot th thead time tr track tt u ul var video wbr x-y""".split()
VOID = set("area br col hr img input source track wbr".split())
BOXES = {"div", "center", "p", "ul", "ol", "dl", "table", "blockquote", "section", "h2", "span", "b", "br", "li"}
# Rules and modes of libtidy: the default, and with --all all that are shipped.
PAIRED = [("reading", "broken")]
ALL_PAIRED = [(rules, mode) for rules in ["reading", "strict", "text", "universal-feed-parser", "browser-default"]
              for mode in ["broken", "always"]]
# What costs more seconds than this at 24 KB is measured at four sizes.
PAIR_SIZE, PAIR_SECONDS = 24 << 10, 0.03


class Pairs:
    """Each element, left open before many of each, with text and, for all, without."""

    def __init__(self, tamis, rules, mode, only, texts):
        self.name, self.only, self.texts = f"sanitize --rules {rules} --tidy {mode}", only, texts
        self.worker, self.count, self.failed = Worker(tamis, ["sanitize", "--jsonl", "--rules", rules, "--tidy", mode], str), 0, []

    def run(self):
        for first in ELEMENTS:
            for second in ELEMENTS:
                for text in self.texts:
                    many = text + f"<{second}>" if second in VOID else f"<{second}>{text}</{second}>"
                    name = f"{self.name}: <{first}> before many {many}"
                    if self.only in name:
                        self.measure(name, lambda n, start=f"<{first}>", many=many: start + fill(n, many))
                    # A box between both, for those that are costly by themselves.
                    if self.only in name and first in {"h1", "h6", "ol", "ul", "menu", "dl", "legend", "button"} and second in BOXES:
                        for box in ["div", "center"]:
                            self.measure(f"{name}, in <{box}>", lambda n, start=f"<{first}><{box}>", many=many: start + fill(n, many))
        self.worker.stop()
        return self

    def measure(self, name, make):
        self.count += 1
        if self.worker.seconds(make(PAIR_SIZE)) <= PAIR_SECONDS:
            return
        times, is_growing = grows(self.worker, make)
        if is_growing:
            self.failed.append(f"{name}: " + ", ".join(f"{size >> 10} KB {each:.2f} s" for size, each in zip(SIZES, times)))
            print(self.failed[-1], flush=True)


def check(tamis, only="", all_pairs=False):
    """The number of shapes, and for each that fails its name with the times."""
    measurements = [Pairs(tamis, *each, only, ["x", ""] if all_pairs else ["x"]) for each in (ALL_PAIRED if all_pairs else PAIRED)]
    measurements += [Measurement(tamis, command, order, only) for command in COMMANDS for order in command[3]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        done = list(pool.map(lambda each: each.run(), measurements))
    return sum(each.count for each in done), [failure for each in done for failure in each.failed]
