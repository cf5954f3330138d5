"""Runs a tool over Universal Feed Parser's test files.

Usage: feed_cases.py TAMIS FOLDER [--filter TEXT] [--show N] [--least PERCENT]

FOLDER has wellformed/ and the others. Each file says in a comment what it comes to, as a Python expression over feedparser's
result: `Expect: not bozo and entries[0]['title'] == 'x'`. The tool prints its result as JSON; the expression is read here, by what
such expressions use and nothing else. Files below a folder or with a name that has "http" in it say the headers of their response.

Exit codes: 0, 1 when fewer pass than --least says, 65 when there are no cases.
"""

import argparse
import ast
import concurrent.futures
import datetime
import json
import operator
import os
import pathlib
import re
import subprocess
import sys

# Where Universal Feed Parser's own tests serve the files.
BASE = "http://127.0.0.1:8097/tests/"
SECONDS = 20
MARKS = [
    (b"\x00\x00\xfe\xff", "utf-32-be"), (b"\xff\xfe\x00\x00", "utf-32-le"), (b"\x00\x00\x00<", "utf-32-be"),
    (b"<\x00\x00\x00", "utf-32-le"), (b"\x00<\x00?", "utf-16-be"), (b"<\x00?\x00", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"),
]
EXPECT = re.compile(r"Expect:[ \t]*(\S.*?)\s*-->", re.DOTALL)
HEADER = re.compile(r"^Header:[ \t]*([^:\n]+):(.*)$", re.MULTILINE)

# Names by which results can be asked besides those they have.
OTHER_NAMES = {
    "channel": ["feed"], "items": ["entries"], "guid": ["id"], "url": ["href"], "date": ["updated"],
    "date_parsed": ["updated_parsed"], "modified": ["updated"], "modified_parsed": ["updated_parsed"],
    "issued": ["published"], "issued_parsed": ["published_parsed"], "copyright": ["rights"],
    "copyright_detail": ["rights_detail"], "tagline": ["subtitle"], "tagline_detail": ["subtitle_detail"],
    "description": ["summary", "subtitle"], "description_detail": ["summary_detail", "subtitle_detail"],
}
# Those by which `in` does not find anything that is under another name.
ONLY_READ = {"updated": "published", "updated_parsed": "published_parsed"}
COMPARISONS = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


class Unknown(Exception):
    """An expression uses what is not known here."""


class Module:
    """What `feedparser` and `datetime` stand for, and names in them."""

    def __init__(self, name):
        self.name = name


def derived(record, key):
    """What is no member of a result and follows from others; raises KeyError."""
    links = record.get("links") or []
    if key == "category":
        return record["tags"][0]["term"]
    if key == "enclosures":
        return [{name: value for name, value in link.items() if name != "rel"} for link in record["links"]
                if link.get("rel") == "enclosure"]
    if key == "license":
        for link in links:
            if link.get("rel") == "license" and "href" in link:
                return link["href"]
    raise KeyError(key)


def member(record, key, reads=True):
    """The value of a result under a name; raises KeyError."""
    if isinstance(key, str):
        for name in [*OTHER_NAMES.get(key, []), key]:
            if name in record:
                return record[name]
            if reads and ONLY_READ.get(name) in record:
                return record[ONLY_READ[name]]
    return derived(record, key)


def has(container, key):
    if not isinstance(container, dict):
        return any(same(key, each) for each in container) if isinstance(container, list) else key in container
    try:
        member(container, key, reads=False)
        return True
    except (KeyError, IndexError):
        return False


def same(one, other):
    """Equality, where JSON has arrays for Python's lists and tuples, and numbers for its time spans."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, datetime.timedelta) != isinstance(other, datetime.timedelta):
        one, other = (each.total_seconds() if isinstance(each, datetime.timedelta) else each for each in (one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return isinstance(one, bool) == isinstance(other, bool) and one == other or one is other


class Evaluator(ast.NodeVisitor):
    def __init__(self, result):
        self.result = result

    def generic_visit(self, node):
        raise Unknown(type(node).__name__)

    def visit_Expression(self, node):
        return self.visit(node.body)

    def visit_Constant(self, node):
        return node.value

    def visit_Tuple(self, node):
        return [self.visit(each) for each in node.elts]

    visit_List = visit_Tuple

    def visit_Dict(self, node):
        return {self.visit(key): self.visit(value) for key, value in zip(node.keys, node.values)}

    def visit_Name(self, node):
        if node.id in ("feedparser", "datetime"):
            return Module(node.id)
        return member(self.result, node.id)

    def visit_Attribute(self, node):
        owner = self.visit(node.value)
        return Module(f"{owner.name}.{node.attr}") if isinstance(owner, Module) else member(owner, node.attr)

    def visit_Subscript(self, node):
        owner = self.visit(node.value)
        if isinstance(node.slice, ast.Slice):
            return owner[slice(*(each and self.visit(each) for each in (node.slice.lower, node.slice.upper)))]
        key = self.visit(node.slice)
        return member(owner, key) if isinstance(owner, dict) else owner[key]

    def visit_BoolOp(self, node):
        is_and = isinstance(node.op, ast.And)
        value = is_and
        for each in node.values:
            value = self.visit(each)
            if bool(value) != is_and:
                break
        return value

    def visit_UnaryOp(self, node):
        value = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return not value
        if isinstance(node.op, ast.USub):
            return -value
        raise Unknown(type(node.op).__name__)

    def visit_BinOp(self, node):
        one, other = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Add):
            return one + other
        if isinstance(node.op, ast.Sub):
            return one - other
        raise Unknown(type(node.op).__name__)

    def visit_Compare(self, node):
        left = self.visit(node.left)
        for comparison, right in zip(node.ops, map(self.visit, node.comparators)):
            if not self.compares(comparison, left, right):
                return False
            left = right
        return True

    @staticmethod
    def compares(comparison, left, right):
        if isinstance(comparison, (ast.Eq, ast.NotEq)):
            return same(left, right) == isinstance(comparison, ast.Eq)
        if isinstance(comparison, (ast.In, ast.NotIn)):
            return has(right, left) == isinstance(comparison, ast.In)
        return COMPARISONS[type(comparison)](left, right)

    def visit_Call(self, node):
        arguments = [self.visit(each) for each in node.args] if not self.is_type_check(node) else []
        if isinstance(node.func, ast.Name):
            return self.function(node.func.id, node, arguments)
        if not isinstance(node.func, ast.Attribute):
            raise Unknown("a call")
        owner, name = self.visit(node.func.value), node.func.attr
        if isinstance(owner, Module) and name == "timedelta":
            return datetime.timedelta(*arguments, **{each.arg: self.visit(each.value) for each in node.keywords})
        if isinstance(owner, dict) and name in ("get", "has_key"):
            found = has(owner, arguments[0]) or arguments[0] in ONLY_READ
            if name == "has_key":
                return has(owner, arguments[0])
            try:
                return member(owner, arguments[0]) if found else (arguments[1:] or [None])[0]
            except KeyError:
                return (arguments[1:] or [None])[0]
        if isinstance(owner, dict) and name == "keys":
            return list(owner)
        if isinstance(owner, str) and name in ("startswith", "endswith"):
            return getattr(owner, name)(*arguments)
        raise Unknown(f".{name}()")

    @staticmethod
    def is_type_check(node):
        return isinstance(node.func, ast.Name) and node.func.id == "isinstance"

    def function(self, name, node, arguments):
        if name in ("len", "ord"):
            return {"len": len, "ord": ord}[name](*arguments)
        if name == "locals":
            return self.result
        if name == "isinstance":
            # The result names the kind of its exception: `CharacterEncodingOverride: …`.
            value, kind = self.visit(node.args[0]), ast.unparse(node.args[1]).rsplit(".", 1)[-1]
            if kind in ("str", "unicode", "basestring"):
                return isinstance(value, str)
            said = value.get("type", "") if isinstance(value, dict) else str(value).partition(":")[0]
            return said.strip().rsplit(".", 1)[-1] == kind
        raise Unknown(f"{name}()")


class Case:
    def __init__(self, path, folder):
        self.path, self.id = path, path.relative_to(folder).as_posix()
        data = path.read_bytes()
        text = data.decode(next((codec for mark, codec in MARKS if data.startswith(mark)), "utf-8"), "ignore")
        found = EXPECT.search(text)
        self.expect = found and found[1]
        self.headers = dict((name.strip(), value.strip()) for name, value in HEADER.findall(text))

    @property
    def is_response(self):
        return "http" in self.id

    @property
    def bozo(self):
        """What Universal Feed Parser's own tests ask of `bozo` besides; None for nothing."""
        top = self.id.split("/")[0]
        if top == "illformed":
            return True if self.is_response else None
        return {"wellformed": False, "entities": True}.get(top)

    def arguments(self):
        arguments = ["parse", "--format", "json", "--rules", "universal-feed-parser"]
        if self.is_response:
            headers = self.headers
            if not any(name.lower() == "content-type" for name in headers):
                headers = headers | {"Content-Type": "text/xml"}
            arguments += ["--url", BASE + self.id]
            for name, value in headers.items():
                arguments += ["--header", f"{name}: {value}"]
        return [*arguments, str(self.path)]

    def fault(self, tamis):
        """What is wrong; None when nothing is."""
        try:
            run = subprocess.run([tamis, *self.arguments()], capture_output=True, timeout=SECONDS)
            result = json.loads(run.stdout)
        except (subprocess.TimeoutExpired, ValueError) as error:
            return f"no answer: {error}"
        if self.bozo not in (None, bool(result.get("bozo"))):
            return f"bozo: {result.get('bozo')} {result.get('bozo_exception', '')}"
        try:
            return None if Evaluator(result).visit(ast.parse(self.expect, mode="eval")) else "another result"
        except Unknown as error:
            return f"an expression that is not known here: {error}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def main():
    parser = argparse.ArgumentParser(description="Runs a tool over Universal Feed Parser's test files.")
    parser.add_argument("tamis")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--filter", default="", help="only files whose path has this")
    parser.add_argument("--show", type=int, default=10, help="how many failures to print")
    parser.add_argument("--least", type=float, default=0, help="the share that has to pass, in percent")
    options = parser.parse_args()
    paths = sorted(path for path in options.folder.rglob("*") if path.suffix in (".xml", ".json"))
    cases = [case for case in (Case(path, options.folder) for path in paths) if case.expect and options.filter in case.id]
    if not cases:
        print(f"{options.folder}: no cases", file=sys.stderr)
        return 65
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(pool.map(lambda case: case.fault(options.tamis), cases))
    failed = [(case, fault) for case, fault in zip(cases, faults) if fault]
    for case, fault in failed[: options.show]:
        print(f"  {case.id}: {fault[:200]}\n    {case.expect[:300]}")
    share = 100 * (len(cases) - len(failed)) / len(cases)
    print(f"feedparser: {len(cases) - len(failed)} of {len(cases)} pass ({share:.1f} %)")
    return 1 if share < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
