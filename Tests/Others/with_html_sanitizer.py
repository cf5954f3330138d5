"""html-sanitizer. Its own settings say which elements may be empty or stand beside each other; the lists come from the level."""
import levels
from html_sanitizer import Sanitizer

level = levels.asked("P0", "P1", "P2")
# It accepts no empty list of tags.
tags = level.tags or {"x-none"}
every = level.attributes.get("*", set())
sanitizer = Sanitizer({
    "tags": tags, "attributes": {tag: every | level.attributes.get(tag, set()) for tag in tags},
    "empty": tags & {"a", "br", "col", "hr", "img", "source", "td", "th", "track", "wbr"}, "separate": tags & {"a", "p", "li"},
    "whitespace": tags & {"br"}})
levels.answer(sanitizer.sanitize)
