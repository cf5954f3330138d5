"""lxml_html_clean. At P3 it runs with its defaults, with which it removes what is known to be dangerous."""
import levels
from lxml_html_clean import Cleaner

level = levels.asked()
if level.name == "P3":
    cleaner = Cleaner(style=False, inline_style=False, forms=False, safe_attrs_only=False)
else:
    # An empty list of tags means all tags.
    cleaner = Cleaner(allow_tags=level.tags or {"x-none"}, safe_attrs=level.attribute_names)
levels.answer(lambda html: cleaner.clean_html(html) if html.strip() else "")
