#!/usr/bin/env python3
"""Makes the trees by which `tamis article` tells an article's blocks: Sources/TamisArticle/Shipped/article.trees.

    train.py TAMIS PAGES [--without FILE] [--output FILE] [--trees N] [--leaves N] [--rate R] [--quality N] [--kinds N]

PAGES is a folder of sets as shared/article-pages is: SET/truth.json and SET/pages/ID.html.gz. Needs scikit-learn. The same pages and
the same program give the same trees: nothing is left to chance but by a fixed seed. The file of --without has the ids of pages, one a
line, which no tree is to see: those of a benchmark's test split.

The models, each made of what the ones before it say of pages whose sites they have not seen:
    blocks     whether a block is part of the article
    quality    the F of a choice of blocks
    kinds      what the page is, by the choice without bias
"""

import argparse
import os
import sys
import tempfile
import subprocess
import zlib

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

import pages

# What a page of each set counts for, and where it lies below PAGES.
SETS = {"zyte": 3.0, "wcxb": 1.0, "moz": 1.0, "zh": 1.0, "training/wcxb": 1.0, "types": 1.0}
SEED = 7
PARTS = 5
# The kinds of pages, and which of the sets' kinds they are.
KINDS = {
    "article": ["article", None],
    "thread": ["forum"],
    "documentation": ["documentation"],
    "listing": ["listing", "collection"],
    "product": ["product"],
    "other": ["service"],
}


class Item:
    """A page with its truth; with `feed`, what a feed would say of it."""

    def __init__(self, name, number, page, truth, feed):
        self.set, self.number, self.page, self.truth, self.feed = name, number, page, truth, feed
        self.part = part(number, truth)
        self.weight = SETS[name] * (0.5 if feed else 1.0)
        self.labels = None


def part(number, truth):
    """The part of all pages that a page belongs to, by its site."""
    return zlib.crc32(pages.site(truth.get("url") or number).encode()) % PARTS


def summary(truth):
    text = truth.get("text") or pages.text_of(truth["html"])
    return " ".join(text.split()[:30])


def items(root, without=()):
    """All pages but those with the ids of `without`; half of them once more with what a feed would say."""
    found = []
    for name in SETS:
        if os.path.exists(os.path.join(root, name, "truth.json")):
            for number, page, truth in pages.pages(root, name):
                if number in without:
                    continue
                found.append(Item(name, number, page, truth, ""))
                if zlib.crc32(number.encode()) % 2 == 0:
                    found.append(Item(name, number, page, truth, summary(truth)))
    return found


class Rows:
    """Rows of numbers with what is to be predicted of them, what they count for, and the part that they belong to."""

    def __init__(self):
        self.x, self.y, self.w, self.part = [], [], [], []

    def add(self, x, y, w, part):
        self.x.append(x)
        self.y.append(y)
        self.w.append(w)
        self.part.append(part)

    def arrays(self):
        self.x, self.y = numpy.array(self.x, dtype=numpy.float64), numpy.array(self.y)
        self.w, self.part = numpy.array(self.w), numpy.array(self.part)
        return self

    def fit(self, model, part):
        """Fits a model to the rows that are not in a part; None is no part."""
        chosen = self.part >= 0 if part is None else self.part != part
        # scikit-learn counts weights in its leaves; their mean is one.
        weights = self.w[chosen]
        return model.fit(self.x[chosen], self.y[chosen], sample_weight=weights / weights.mean())


def size(block):
    """What a block counts for on its page: its words, but a short one for something too."""
    return len(pages.words(block["text"])) + 4


def add_blocks(rows, item, blocks, caption):
    if item.labels is None:
        item.labels = pages.labels(blocks, item.truth)
    mass = sum(size(block) for block, label in zip(blocks, item.labels) if label is not None) or 1
    for block, label in zip(blocks, item.labels):
        # Of pictures and captions the truth says nothing.
        if label is None or block["row"][caption] or 0.3 < label < 0.5:
            continue
        rows.add(block["row"], label >= 0.5, item.weight * 100 * size(block) / mass, item.part)


def add_choices(rows, item, blocks, choices):
    for choice in choices:
        text = "\n".join(blocks[index]["text"] for index in choice["blocks"])
        rows.add(choice["row"], pages.f1(item.truth, text), item.weight, item.part)


def add_kinds(rows, item, choices):
    kind = next(number for number, kinds in enumerate(KINDS.values()) if item.truth.get("kind") in kinds)
    rows.add(choices[0]["row"], kind, item.weight, item.part)


def trees_of_blocks(args):
    return HistGradientBoostingClassifier(
        max_iter=args.trees, max_leaf_nodes=args.leaves, learning_rate=args.rate, min_samples_leaf=40, max_features=0.3,
        l2_regularization=5.0, max_bins=255, early_stopping=False, random_state=SEED)


def trees_of_choices(args):
    return HistGradientBoostingRegressor(
        max_iter=args.quality, max_leaf_nodes=8, learning_rate=0.1, min_samples_leaf=40, l2_regularization=5.0, max_bins=255,
        early_stopping=False, random_state=SEED)


def trees_of_kinds(args):
    return HistGradientBoostingClassifier(
        max_iter=args.kinds, max_leaf_nodes=6, learning_rate=0.3, min_samples_leaf=15, l2_regularization=5.0, max_bins=255,
        early_stopping=False, random_state=SEED)


def lines(model, names, kind=0):
    """A line a tree in Polish notation, weights in millionths."""
    base = float(numpy.ravel(model._baseline_prediction)[kind])
    yield str(round(base * 1e6))
    for predictors in model._predictors:
        nodes = predictors[kind].nodes

        def write(index):
            node = nodes[index]
            if node["is_leaf"]:
                return [str(round(float(node["value"]) * 1e6))]
            question = f"{names[node['feature_idx']]}<={int(numpy.floor(node['num_threshold']))}"
            return [question] + write(node["left"]) + write(node["right"])

        yield " ".join(write(0))


def section(name, model, names, kind=0):
    return f"[{name}]\n" + "\n".join(lines(model, names, kind)) + "\n"


def number_names(tamis):
    """The names of the numbers of blocks, and of those of choices."""
    output = subprocess.run([tamis, "article", "--number-names"], capture_output=True, text=True, check=True).stdout
    return [names.split() for names in output.split("\n\n")]


def measured(tamis, found, models):
    """Yields each page with what the program measures by the model that has not seen the page's site."""
    for wanted in range(PARTS):
        chosen = [item for item in found if item.part == wanted]
        with tempfile.NamedTemporaryFile("w", suffix=".trees") as trees:
            trees.write(models[wanted])
            trees.flush()
            yield from zip(chosen, pages.measured(tamis, chosen, trees.name), strict=True)


class Trainer:
    """Makes the models: `parts` has one for each part, which has not seen it, and at its end one of all pages."""

    def __init__(self, args, tamis, root):
        without = set(open(args.without).read().split()) if args.without else ()
        self.args, self.tamis, self.items = args, tamis, items(root, without)
        self.block_names, self.choice_names = number_names(tamis)
        self.caption = self.block_names.index("inCaption")
        self.parts = [""] * (PARTS + 1)

    def run(self):
        self.extend(["blocks"], self.block_rows(), trees_of_blocks, self.block_names)
        choices, kinds = self.choice_rows()
        self.extend(["quality"], choices, trees_of_choices, self.choice_names)
        self.extend(list(KINDS), kinds, trees_of_kinds, self.choice_names)
        return self

    def extend(self, sections, rows, model, names):
        """Adds a model's sections to all parts."""
        for index in range(PARTS + 1):
            fitted = rows.fit(model(self.args), None if index == PARTS else index)
            self.parts[index] += "".join(section(name, fitted, names, kind) for kind, name in enumerate(sections))
        print(f"{', '.join(sections)}: {len(rows.y)} rows", file=sys.stderr)

    def block_rows(self):
        """The rows of all blocks."""
        rows = Rows()
        for item, page in measured(self.tamis, self.items, self.parts):
            add_blocks(rows, item, page["blocks"], self.caption)
        return rows.arrays()

    def choice_rows(self):
        """The rows of all choices with their quality, and of each page with its kind."""
        choices, kinds = Rows(), Rows()
        for item, page in measured(self.tamis, self.items, self.parts):
            add_choices(choices, item, page["blocks"], page["choices"])
            add_kinds(kinds, item, page["choices"])
        return choices.arrays(), kinds.arrays()


def arguments(extra=()):
    """The options, and the values of the arguments TAMIS, PAGES and `extra`."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ["tamis", "pages", *extra]
    for name in names:
        parser.add_argument(name)
    parser.add_argument("--trees", type=int, default=160, help="the trees of blocks")
    parser.add_argument("--quality", type=int, default=60, help="the trees of choices")
    parser.add_argument("--kinds", type=int, default=10, help="the trees of each kind of page")
    parser.add_argument("--leaves", type=int, default=12)
    parser.add_argument("--rate", type=float, default=0.075)
    parser.add_argument("--output")
    parser.add_argument("--without", help="a file with the ids of pages that are left out")
    args = parser.parse_args()
    return args, [getattr(args, name) for name in names]


def main():
    args, (tamis, root) = arguments()
    text = HEAD.format(args=args, kinds=args.kinds * len(KINDS)) + Trainer(args, tamis, root).run().parts[PARTS]
    with open(args.output, "w") if args.output else sys.stdout as file:
        file.write(text)


HEAD = """# Trees that tell which blocks of a page are its article, how good a choice of them is and what kind the page is of; made by
# Training/train.py from the sets zyte, wcxb, types, moz and zh but for the pages of WCXB's test split (see Training/README.md): {args.trees} trees of
# blocks, {args.quality} of choices, {kinds} of kinds of pages.
"""

if __name__ == "__main__":
    main()
