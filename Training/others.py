#!/usr/bin/env python3
"""Answers every page by another program: FOLDER/SET.jsonl, which `check.py --results FOLDER` scores.

    others.py trafilatura|resiliparse PAGES FOLDER

Needs the package that is named; each is asked as its own documents ask for the main text.
"""

import json
import os
import sys

import pages


def trafilatura(page, url):
    import trafilatura

    found = trafilatura.bare_extraction(page, url=url or None, with_metadata=True)
    if found is None:
        return {}
    return {"text": found.text, "title": found.title, "byline": found.author, "published": found.date}


def resiliparse(page, url):
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    return {"text": extract_plain_text(HTMLTree.parse(page), main_content=True)}


def main():
    name, root, folder = sys.argv[1:]
    answer = {"trafilatura": trafilatura, "resiliparse": resiliparse}[name]
    os.makedirs(folder, exist_ok=True)
    for each in pages.SCORED:
        with open(os.path.join(folder, f"{each}.jsonl"), "w") as file:
            for number, page, truth in pages.pages(root, each):
                file.write(json.dumps({"id": number, **answer(page, truth.get("url"))}) + "\n")


if __name__ == "__main__":
    main()
