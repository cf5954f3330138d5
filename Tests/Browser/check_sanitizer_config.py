#!/usr/bin/env python3
"""Hold configurations of the browsers' sanitizer against setHTML in browsers.

usage: check_sanitizer_config.py TAMIS [--minimum N] [--configurations N] [--seed N] [--engines NAME ...]

N (500) configurations are made at random of names that Tamis knows and its floor permits, each with a few fragments made of tags at
random. A browser builds the tree that `setHTML` makes of a fragment, and the tree of Tamis's output; they have to be the same, and
both have to refuse the same configurations. Left out is what Tamis does otherwise on purpose (docs/rules.md): comments, URLs, styles,
elements that it does not know, one list of replaced names for all namespaces, ids of formatting that is opened again, elements inside the words of formulas. Trees that no markup
builds are known by the browser too: it builds another of its own serialization; there the words have to be the same. Browsers
sanitize while the parser moves elements, so that replaced ones change where others land: there the tree has to be the one that
`setHTML` makes of the fragment as the browser has written it. Besides, `new Sanitizer("default").get()` has to be the shipped `browser-default`. Exit code 0 when
all is so; at least N (1) browsers have to be there.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from engines import ENGINES, exit_code, trees

ROOT = pathlib.Path(__file__).parents[2]
SVG, MATH = "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"
HTML_ELEMENTS = "a b bdi blockquote code dd details div dl dt em fieldset figure h1 h2 hr i li main ol p pre q section span strong sub u ul".split()
ELEMENTS = ([name for name in HTML_ELEMENTS] + [{"name": name, "namespace": SVG} for name in "svg g path text circle".split()]
            + [{"name": name, "namespace": MATH} for name in "math mi mrow mo".split()])
ATTRIBUTES = ["itemprop", "title", "lang", "dir", "class", "fill"]
FRAGMENT_ATTRIBUTES = ["itemprop=a", "title=b", "lang=en", "dir=rtl", "class=c", "data-x=1", "data-y=2", "fill=red"]


def key(element):
    return (element, "html") if isinstance(element, str) else (element["name"], element["namespace"])


def some(chance, items):
    share = chance.choice([0.1, 0.4, 0.8])
    return [item for item in items if chance.random() < share]


def element(chance, item, how, everywhere):
    """An item of `elements`, now and then with lists of its own."""
    if chance.random() < 0.8:
        return item
    own = {"name": item} if isinstance(item, str) else dict(item)
    kind, listed = chance.choice(["attributes", "removeAttributes"]), set(everywhere or [])
    names = some(chance, ATTRIBUTES)
    if everywhere is not None:
        # What contradicts the lists of all elements is refused; a few may.
        fits = (lambda name: name in listed) if (kind, how) == ("removeAttributes", "attributes") else (lambda name: name not in listed)
        names = [name for name in names if fits(name) or chance.random() < 0.005]
    own[kind] = names
    return own


def configuration(chance):
    config, how, everywhere = {}, None, None
    if chance.random() < 0.7:
        how, everywhere = chance.choice(["attributes", "removeAttributes"]), some(chance, ATTRIBUTES)
        config[how] = everywhere
    kept = some(chance, ELEMENTS)
    if chance.random() < 0.8:
        config["elements"] = [element(chance, item, how, everywhere) for item in kept]
    else:
        config["removeElements"] = kept
    if chance.random() < 0.5:
        listed = {key(item) for item in kept}
        config["replaceWithChildrenElements"] = [
            item for item in some(chance, ELEMENTS)
            if key(item)[0] not in ("svg", "math") and (key(item) not in listed or chance.random() < 0.01)]
    if chance.random() < (0.4 if "attributes" in config else 0.01):
        config["dataAttributes"] = chance.random() < 0.5
    return config


def fragment(chance):
    parts = []
    for _ in range(chance.randrange(2, 12)):
        kind = chance.random()
        if kind < 0.25:
            parts.append(chance.choice(["one", "two", "three"]))
        elif kind < 0.4:
            parts.append(f"</{chance.choice(HTML_ELEMENTS)}>")
        elif kind < 0.9:
            parts.append(tag(chance, HTML_ELEMENTS))
        else:
            root, names = chance.choice([("svg", ["g", "path", "text", "circle"]), ("math", ["mi", "mo", "mrow"])])
            chosen = [chance.choice(names) for _ in range(chance.randrange(4))]
            inner = [f"{tag(chance, [name])}four</{name}>" for name in chosen]
            parts.append(f"{tag(chance, [root])}{''.join(inner)}</{root}>")
    return "".join(parts)


def tag(chance, names):
    attributes = "".join(f" {text}" for text in chance.sample(FRAGMENT_ATTRIBUTES, chance.randrange(3)))
    return f"<{chance.choice(names)}{attributes}>"


def sanitized(tamis, config, fragments, folder):
    """What Tamis makes of fragments; None when it refuses the configuration."""
    rules = folder / "config.json"
    rules.write_text(json.dumps(config))
    lines = "".join(json.dumps({"id": number, "html": html}) + "\n" for number, html in enumerate(fragments))
    run = subprocess.run([tamis, "sanitize", "--jsonl", "--rules", rules], input=lines, capture_output=True, text=True, check=False)
    if run.returncode:
        assert "[rules.invalid]" in run.stderr, run.stderr
        return None
    return [json.loads(line)["html"] for line in run.stdout.rstrip("\n").split("\n")]


def words(tree):
    return "".join(words(node) if isinstance(node, list) else node for node in tree[2:] if not isinstance(node, dict)) if isinstance(
        tree, list) else tree


def text(nodes):
    return "".join(words(node) for node in nodes).split()


def joined(nodes):
    """A tree in which text that stands side by side is one."""
    result = []
    for node in nodes:
        if isinstance(node, list):
            node = [node[0], node[1], *joined(node[2:])]
        elif result and isinstance(result[-1], str):
            result[-1] += node
            continue
        result.append(node)
    return result


def markup(nodes):
    """The markup that a browser writes of a tree."""
    output = []
    for node in nodes:
        if isinstance(node, str):
            output.append(node.replace("&", "&amp;").replace("<", "&lt;"))
            continue
        name = node[0].split(" ")[-1]
        attributes = "".join(f' {name}="{value}"' for name, value in node[1].items())
        output.append(f"<{name}{attributes}>" + ("" if name == "hr" else f"{markup(node[2:])}</{name}>"))
    return "".join(output)


def compared(engine, jobs, outputs):
    """The number of compared fragments, of trees that parsing alone makes others, and what differs; None without the browser."""
    asked = [(html, "setHTML " + json.dumps(config)) for config, fragments in jobs for html in fragments]
    theirs = trees(engine, asked, batch=200)
    if theirs is None:
        return None
    if theirs[0] == ["no setHTML"]:
        return "no setHTML"
    theirs = [None if tree == ["TypeError"] else joined(tree) for tree in theirs]
    flat = [output for made in outputs for output in made]
    again = [markup(tree) if tree is not None else "" for tree in theirs]
    built = trees(engine, [(html, "div") for html in [output or "" for output in flat] + again], batch=400)
    ours, rebuilt = [joined(tree) for tree in built[: len(flat)]], [joined(tree) for tree in built[len(flat):]]
    plain = trees(engine, [(html, "div") for html, _ in asked], batch=400)
    steady = trees(engine, [(markup(joined(tree)), context) for tree, (_, context) in zip(plain, asked)], batch=200)
    faults, others = [], 0
    for (html, context), output, their, our, rebuild, quiet in zip(asked, flat, theirs, ours, rebuilt, steady):
        if (their is None) != (output is None):
            faults.append(f"{context[8:]}: {'only the browser' if their is None else 'only Tamis'} refuses it")
        elif their is not None and our != their:
            if our == joined(quiet) or rebuild != their and text(our) == text(their):
                others += 1
            else:
                faults.append(f"{html!r}: {output!r}, not {markup(their)!r} with {context[8:]}")
    return len(flat), others, faults


def default(engine, tamis):
    """What differs between a browser's default and the shipped one."""
    got = trees(engine, [("", "sanitizer default")])
    shipped = json.loads(subprocess.run([tamis, "rules", "show", "browser-default"], capture_output=True, check=True).stdout)
    both = []
    for config in (json.loads(got[0][0]), shipped):
        rows = {json.dumps(["attribute", item if isinstance(item, str) else item["name"]]) for item in config["attributes"]}
        for item in config["elements"]:
            item = {"name": item} if isinstance(item, str) else item
            names = [name if isinstance(name, str) else name["name"] for name in item.get("attributes", [])]
            rows.add(json.dumps([item["name"], item.get("namespace", "http://www.w3.org/1999/xhtml"), sorted(names)]))
        both.append(rows)
    return sorted(both[0] ^ both[1])


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--minimum", type=int, default=1)
    parser.add_argument("--configurations", type=int, default=500)
    parser.add_argument("--seed", type=int, default=38)
    parser.add_argument("--engines", nargs="+", choices=ENGINES)
    options = parser.parse_args()
    tamis, chance = options.tamis.absolute(), random.Random(options.seed)
    jobs = [(configuration(chance), [fragment(chance) for _ in range(6)]) for _ in range(options.configurations)]
    with tempfile.TemporaryDirectory() as folder:
        outputs = [sanitized(tamis, config, fragments, pathlib.Path(folder)) or [None] * len(fragments) for config, fragments in jobs]
    count = total = 0
    for engine in options.engines or ENGINES:
        result = compared(engine, jobs, outputs)
        if result is None or result == "no setHTML":
            print(f"{engine}: {result or 'not installed'}, skipped")
            continue
        count += 1
        fragments, others, faults = result
        for fault in faults[:20]:
            print(f"{engine}: {fault}")
        differences = default(engine, tamis)
        for difference in differences:
            print(f"{engine}: the default has, or has not: {difference}")
        total += len(faults) + len(differences)
        print(f"{engine}: {fragments} fragments with {len(jobs)} configurations, {others} others by the parser, {len(faults)} differ; "
              f"{len(differences)} differences of the default")
    return exit_code(total, count, options.minimum)


if __name__ == "__main__":
    sys.exit(main())
