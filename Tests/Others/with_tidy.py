"""libtidy, which repairs and does not sanitize; it stands here because it is taken for a sanitizer."""
import levels
import tidylib

levels.asked("P3")
options = {"show-body-only": 1, "force-output": 1, "quiet": 1}
levels.answer(lambda html: tidylib.tidy_document(html, options)[0])
