"""feedparser's sanitizer for the bodies of feeds. It has one setting."""
import levels
from feedparser.sanitizer import _sanitize_html

levels.asked("P3")
levels.answer(lambda html: _sanitize_html(html, "utf-8", "text/html"))
