"""nh3 (ammonia)."""
import levels
import nh3

level = levels.asked()
# nh3 sets `rel` itself. Properties are its own way to allow `style`.
settings = {"tags": level.tags, "attributes": level.attributes, "url_schemes": level.schemes}
if level.name == "P3":
    settings["filter_style_properties"] = {"background-color", "color", "font-size", "font-weight", "text-align", "width"}
levels.answer(lambda html: nh3.clean(html, **settings))
