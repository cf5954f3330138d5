#!/usr/bin/env python3
"""Makes the trees by which `tamis article` tells an article's blocks: Sources/TamisArticle/Shipped/article.trees.

    train.py TAMIS PAGES [--trees N] [--leaves N] [--output FILE]       from all pages
    train.py TAMIS PAGES --part K                                       without a fifth of the sites, judged by that

PAGES is a folder of sets as shared/article-pages is: SET/truth.json and SET/pages/ID.html.gz. Needs scikit-learn. The same pages and
the same program give the same trees: nothing is left to chance but by a fixed seed.
"""

import argparse
import os
import subprocess
import sys
import zlib

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier

import pages

# What a page of each set counts for, and where it lies below PAGES.
SETS = {"zyte": 3.0, "wcxb": 1.0, "moz": 1.0, "zh": 1.0, "training/wcxb": 1.0}
SEED = 7


def summary(truth):
    text = truth.get("text") or pages.text_of(truth["html"])
    return " ".join(text.split()[:30])


def load(tamis, root):
    """The rows, labels, weights and groups of all blocks; half of the pages come once more with what a feed would say."""
    columns = {"x": [], "y": [], "w": [], "group": []}
    for name, weight in SETS.items():
        if not os.path.exists(os.path.join(root, name, "truth.json")):
            continue
        items = []
        for number, page, truth in pages.pages(root, name):
            items.append((number, page, truth, ""))
        for number, page, truth in pages.pages(root, name):
            if zlib.crc32(number.encode()) % 2 == 0:
                items.append((number, page, truth, summary(truth)))
        for (number, _, truth, feed), blocks in zip(items, pages.measured(tamis, items)):
            found = pages.labels(blocks, truth)
            share = weight * (0.5 if feed else 1.0)
            mass = sum(size(block) for block, label in zip(blocks, found) if label is not None) or 1
            for block, label in zip(blocks, found):
                # Of pictures and captions the truth says nothing.
                if label is None or block["row"][CAPTION] or 0.3 < label < 0.5:
                    continue
                columns["x"].append(block["row"])
                columns["y"].append(label >= 0.5)
                columns["w"].append(share * 100 * size(block) / mass)
                columns["group"].append(zlib.crc32(pages.site(truth.get("url") or number).encode()))
        print(f"{name}: {len(items)} pages, {len(columns['y'])} blocks", file=sys.stderr)
    return (numpy.array(columns["x"], dtype=numpy.int32), numpy.array(columns["y"]), numpy.array(columns["w"]),
            numpy.array(columns["group"]))


def size(block):
    """What a block counts for on its page: its words, but a short one for something too."""
    return len(pages.words(block["text"])) + 4


def fit(x, y, w, args):
    model = HistGradientBoostingClassifier(
        max_iter=args.trees, max_leaf_nodes=args.leaves, learning_rate=args.rate, min_samples_leaf=40, l2_regularization=5.0,
        max_bins=255, early_stopping=False, random_state=SEED)
    # scikit-learn counts weights in its leaves; their mean is one.
    return model.fit(x.astype(numpy.float64), y, sample_weight=w / w.mean())


def lines(model, names):
    """A line a tree in Polish notation, weights in millionths."""
    base = float(numpy.ravel(model._baseline_prediction)[0])
    yield str(round(base * 1e6))
    for (predictor,) in model._predictors:
        nodes = predictor.nodes

        def write(index):
            node = nodes[index]
            if node["is_leaf"]:
                return [str(round(float(node["value"]) * 1e6))]
            question = f"{names[node['feature_idx']]}<={int(numpy.floor(node['num_threshold']))}"
            return [question] + write(node["left"]) + write(node["right"])

        yield " ".join(write(0))


def main():
    global CAPTION
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("pages")
    parser.add_argument("--trees", type=int, default=120)
    parser.add_argument("--leaves", type=int, default=12)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--output")
    parser.add_argument("--part", type=int, help="leave this fifth of the sites out")
    parser.add_argument("--cache", help="a file in which the numbers are kept between runs")
    args = parser.parse_args()
    names = subprocess.run([args.tamis, "article", "--number-names"], capture_output=True, text=True, check=True).stdout.split()
    CAPTION = names.index("inCaption")
    if args.cache and os.path.exists(args.cache):
        data = numpy.load(args.cache)
        x, y, w, group = (data[key] for key in ("x", "y", "w", "group"))
    else:
        x, y, w, group = load(args.tamis, args.pages)
        if args.cache:
            numpy.savez(args.cache, x=x, y=y, w=w, group=group)
    chosen = numpy.ones(len(y), dtype=bool) if args.part is None else group % 5 != args.part
    model = fit(x[chosen], y[chosen], w[chosen], args)
    rest = ~chosen
    if rest.any():
        guess = model.predict(x[rest].astype(numpy.float64))
        print(f"part {args.part}: {(w[rest] * (guess == y[rest])).sum() / w[rest].sum():.4f} of the weight is right", file=sys.stderr)
    text = "\n".join(lines(model, names)) + "\n"
    if args.output:
        with open(args.output, "w") as file:
            file.write(HEAD.format(trees=args.trees, leaves=args.leaves, blocks=int(chosen.sum())))
            file.write(text)


HEAD = """# Trees that tell by a block's numbers whether it is part of an article; made by Training/train.py.
# {trees} trees of at most {leaves} leaves, from {blocks} blocks of the sets zyte, wcxb, moz and zh (see Training/README.md).
"""

if __name__ == "__main__":
    main()
