#!/usr/bin/env python3
"""Makes the trees by which `tamis article` tells an article's blocks: Sources/TamisArticle/Shipped/article.trees.

    train.py TAMIS PAGES [--trees N] [--leaves N] [--output FILE]

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
SETS = {"zyte": 3.0, "wcxb": 1.0, "moz": 1.0, "zh": 1.0, "training/wcxb": 1.0, "types": 1.0}
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


def write(file, model_and_count, names, args):
    """Writes trees as the program reads them."""
    model, count = model_and_count
    file.write(HEAD.format(trees=args.trees, leaves=args.leaves, blocks=count))
    file.write("\n".join(lines(model, names)) + "\n")


def number_names(tamis):
    return subprocess.run([tamis, "article", "--number-names"], capture_output=True, text=True, check=True).stdout.split()


def rows(args, tamis, root, names):
    """The rows, labels, weights and groups of all blocks, from the cache when there is one."""
    global CAPTION
    CAPTION = names.index("inCaption")
    if args.cache and os.path.exists(args.cache):
        data = numpy.load(args.cache)
        return tuple(data[key] for key in ("x", "y", "w", "group"))
    x, y, w, group = load(tamis, root)
    if args.cache:
        numpy.savez(args.cache, x=x, y=y, w=w, group=group)
    return x, y, w, group


def fit_without(data, part, args):
    """The trees of the blocks that are not in a part, and the number of these blocks; None is no part."""
    x, y, w, group = data
    chosen = numpy.ones(len(y), dtype=bool) if part is None else group % 5 != part
    return fit(x[chosen], y[chosen], w[chosen], args), int(chosen.sum())


def arguments(extra=()):
    """The options, and the values of the arguments TAMIS, PAGES and `extra`."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ["tamis", "pages", *extra]
    for name in names:
        parser.add_argument(name)
    parser.add_argument("--trees", type=int, default=120)
    parser.add_argument("--leaves", type=int, default=12)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--output")
    parser.add_argument("--cache", help="a file in which the numbers are kept between runs")
    args = parser.parse_args()
    return args, [getattr(args, name) for name in names]


def main():
    args, (tamis, root) = arguments()
    names = number_names(tamis)
    made = fit_without(rows(args, tamis, root, names), None, args)
    with open(args.output, "w") if args.output else sys.stdout as file:
        write(file, made, names, args)


HEAD = """# Trees that tell by a block's numbers whether it is part of an article; made by Training/train.py.
# {trees} trees of at most {leaves} leaves, from {blocks} blocks of the sets zyte, wcxb, types, moz and zh (see Training/README.md).
"""

if __name__ == "__main__":
    main()
