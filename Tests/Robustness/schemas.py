#!/usr/bin/env python3
"""Compare the JSON Schemas of configurations and rules files with the readers of both.

usage: schemas.py TAMIS FIXTURES

Each configuration in FIXTURES/Planet and each file in Rules is read by the command and checked by jsonschema. What the command
takes without an error has to be valid by the schema; and each key of a valid file, changed by a letter, has to be refused by both.
The schemas in docs/ have to be those that the command prints. Exit code 0 when all do.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2's booleans: `yes` and `no` are texts, as for the command and for editors."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, expression) for tag, expression in resolvers if not tag.endswith((":bool", ":timestamp"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", __import__("re").compile("^(true|false)$"), "tf")


def plain(node):
    """Keys as text, which JSON has alone."""
    if isinstance(node, dict):
        return {str(key): plain(value) for key, value in node.items()}
    return [plain(item) for item in node] if isinstance(node, list) else node


def cases(fixtures):
    """The configurations of the fixtures, by name."""
    for file in sorted((fixtures / "Planet").glob("*.txt")):
        for part in file.read_text().split("\n=== ")[1:]:
            name, _, rest = part.partition("\n")
            if "format: tamis" in rest.split("--- ")[0] or file.name == "tamis.txt":
                yield f"{file.name}: {name}", rest.split("--- input\n")[1].split("\n--- ")[0]


def keys(node, path=()):
    """The keys of mappings with their paths."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield path, key
            yield from keys(value, path + (key,))
    elif isinstance(node, list):
        for index, item in enumerate(node):
            yield from keys(item, path + (index,))


def renamed(node, path, key):
    """A copy with a key that has a letter more."""
    copy = json.loads(json.dumps(node))
    inner = copy
    for step in path:
        inner = inner[step]
    inner[key + "x"] = inner.pop(key)
    return copy


def main():
    tamis, fixtures = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
    root, faults, compared, changed = fixtures.resolve().parent, [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def accepts(command, text):
            (folder / "file.yaml").write_text(text)
            done = subprocess.run([tamis, *command, folder / "file.yaml"], capture_output=True, text=True)
            # Files that are named and not there are no matter of a schema.
            lines = [line for line in (done.stderr + done.stdout).splitlines() if "error:" in line and "config.missing" not in line]
            return not lines

        planets = list(cases(fixtures))
        rules = [(file.name, file.read_text()) for file in sorted((root / "Rules").glob("*.yaml"))]
        for what, command, file, texts in (
                ("config", ["config", "check"], "tamis.schema.json", planets),
                ("rules", ["rules", "lint"], "rules.schema.json", rules)):
            printed = subprocess.run([tamis, what, "schema"], capture_output=True, text=True, check=True).stdout
            if printed != (root / "docs" / file).read_text():
                faults.append(f"docs/{file} is not what tamis {what} schema prints")
            validator = jsonschema.Draft202012Validator(json.loads(printed))
            validator.check_schema(validator.schema)
            for case, text in texts:
                try:
                    tree = plain(yaml.load(text, Loader))
                except yaml.YAMLError:
                    continue
                if not accepts(command, text):
                    continue
                compared += 1
                for error in validator.iter_errors(tree):
                    faults.append(f"{case}: taken by the command, not by the schema: {error.message[:200]} at {list(error.path)}")
                for path, key in keys(tree):
                    # Names that a user makes up: tags, elements, attributes, providers, header fields, cookies.
                    if any(step in ("retag", "attributes", "embed-providers", "headers", "cookies") for step in path):
                        continue
                    if validator.is_valid(renamed(tree, path, key)) and not any(step == "filters" or step in ("keep", "drop") for step in path):
                        faults.append(f"{case}: the schema takes '{key}x' in {list(path)}")
                    changed += 1
    for fault in faults:
        print("BAD", fault)
    print(f"{compared} files that the command takes, {changed} keys changed, {len(faults)} faults")
    return 1 if faults or compared < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
