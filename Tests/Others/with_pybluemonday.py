"""bluemonday, as pybluemonday calls it: its two presets, and at P2 what it offers besides."""
import levels
from pybluemonday import StrictPolicy, UGCPolicy

level = levels.asked("P0", "P2", "P3")
policy = StrictPolicy() if level.name == "P0" else UGCPolicy()
if level.name == "P3":
    policy.AllowAttrs("class").Globally()
    policy.AllowStyling()
levels.answer(policy.sanitize)
