#!/usr/bin/env python3
"""Run justhtml-xss-bench with a row for Tamis: its own harness, vectors and table.

usage: xssbench_row.py TAMIS [options of xssbench …]

The bench has to be importable (github.com/EmilStenstrom/justhtml-xss-bench, `pip install -e .`). Its policy is that of
Tests/Browser/xssbench.yaml: the same elements, attributes and properties as the others have there, and relative URLs alone.
"""
import json
import pathlib
import subprocess
import sys

RULES = pathlib.Path(__file__).with_name("xssbench.yaml")


class Tamis:
    """One process that sanitizes a record at a time."""

    def __init__(self, tamis):
        self.process = subprocess.Popen(
            [tamis, "sanitize", "--jsonl", "--rules", RULES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def __call__(self, html):
        self.process.stdin.write(json.dumps({"id": "1", "html": html}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["html"]


def main():
    import xssbench.cli
    import xssbench.sanitizers

    row = xssbench.sanitizers.Sanitizer(
        name="tamis", description="tamis with the shared policy", sanitize=Tamis(sys.argv[1]),
        supported_contexts={"html", "html_head", "html_outer", "http_leak"})
    for module in (xssbench.sanitizers, xssbench.cli):
        for name in ("available_sanitizers", "default_sanitizers"):
            if own := getattr(module, name, None):
                setattr(module, name, lambda own=own: own() | {"tamis": row})
    sys.argv = ["xssbench", *sys.argv[2:]]
    return xssbench.cli.main()


if __name__ == "__main__":
    sys.exit(main())
