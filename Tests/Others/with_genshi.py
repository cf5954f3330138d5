"""Genshi's HTMLSanitizer. At P3 it runs with its own lists and `style`, which it checks when it is allowed.

It drops elements with their words, so that it cannot be set to P0.
"""
import levels
from genshi.filters import HTMLSanitizer
from genshi.input import HTML

level = levels.asked("P1", "P2", "P3")
if level.name == "P3":
    sanitizer = HTMLSanitizer(safe_attrs=HTMLSanitizer.SAFE_ATTRS | {"style"})
else:
    sanitizer = HTMLSanitizer(safe_tags=level.tags, safe_attrs=level.attribute_names, safe_schemes=level.schemes | {None})
levels.answer(lambda html: (HTML(html) | sanitizer).render("html", encoding=None) if html.strip() else "")
