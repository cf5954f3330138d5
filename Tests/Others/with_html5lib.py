"""html5lib's sanitizer, deprecated, from which others come. At P3 it runs with its own lists."""
import warnings

import html5lib
import levels
from html5lib.constants import namespaces
from html5lib.filters.sanitizer import Filter

warnings.simplefilter("ignore")
level = levels.asked()
settings = {} if level.name == "P3" else {
    "allowed_elements": {(namespaces["html"], tag) for tag in level.tags},
    "allowed_attributes": {(None, name) for name in level.attribute_names}, "allowed_protocols": level.schemes}


def clean(html):
    stream = html5lib.getTreeWalker("etree")(html5lib.parseFragment(html))
    serializer = html5lib.serializer.HTMLSerializer(omit_optional_tags=False, quote_attr_values="always")
    return serializer.render(Filter(stream, **settings))


levels.answer(clean)
