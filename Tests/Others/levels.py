"""What the levels of the suite allow, from levels.json, and the loop that every adapter in Python runs."""
import json
import pathlib
import sys

NAMES = ["P0", "P1", "P2", "P3"]
lists = json.loads(pathlib.Path(__file__).with_name("levels.json").read_text())


class Level:
    """A level with what it allows: that of the levels below it, and its own."""

    def __init__(self, name):
        self.name, self.tags, self.attributes, self.schemes = name, set(), {}, set()
        for lower in NAMES[1:NAMES.index(name) + 1]:
            self.tags |= set(lists[lower]["tags"].split())
            self.schemes |= set(lists[lower].get("schemes", "").split())
            for tag, names in lists[lower]["attributes"].items():
                self.attributes.setdefault(tag, set()).update(names.split())

    @property
    def attribute_names(self):
        """The names of all attributes, for programs that do not ask on which element one stands."""
        return set().union(*self.attributes.values())


def asked(*possible):
    """The level that the command names. Ends with exit code 64 when the program cannot be set to it."""
    name = sys.argv[-1]
    if name not in (possible or NAMES):
        print(f"it can be set to {', '.join(possible or NAMES)}, not to {name}", file=sys.stderr)
        sys.exit(64)
    return Level(name)


def answer(clean):
    """Gives each fragment to `clean`: a line of JSON in, a line out. What it raises is an error of that fragment alone."""
    for line in sys.stdin:
        fragment = json.loads(line)
        try:
            reply = {"html": clean(fragment["html"])}
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # Rust's panics are no Exception.
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": fragment.get("id"), **reply}), flush=True)
