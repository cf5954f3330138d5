"""JustHTML with its default policy, widened: it asks for a rule for each attribute that holds a URL."""
import levels
from justhtml import CSS_PRESET_TEXT, JustHTML, SanitizationPolicy, UrlPolicy, UrlRule

URLS = [("a", "href"), ("audio", "src"), ("blockquote", "cite"), ("del", "cite"), ("form", "action"), ("img", "src"), ("img", "srcset"),
        ("ins", "cite"), ("q", "cite"), ("source", "src"), ("source", "srcset"), ("track", "src"), ("video", "poster"), ("video", "src")]
level = levels.asked()
rule = UrlRule(allowed_schemes=level.schemes, handling="allow")
policy = SanitizationPolicy(
    allowed_tags=level.tags, allowed_attributes={"*": set(), **level.attributes},
    url_policy=UrlPolicy(allow_rules={pair: rule for pair in URLS if pair[0] in level.tags}),
    allowed_css_properties=CSS_PRESET_TEXT if level.name == "P3" else set())
levels.answer(lambda html: JustHTML(html, fragment=True, policy=policy).to_html(pretty=False))
