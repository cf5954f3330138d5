"""libtidy with its default settings, but for a fragment: a line of JSON in, a line out. It repairs and does not sanitize."""
import json
import sys

import tidylib

options = {"show-body-only": 1, "force-output": 1, "quiet": 1}
for line in sys.stdin:
    fragment = json.loads(line)
    html, _ = tidylib.tidy_document(fragment["html"], options)
    print(json.dumps({"id": fragment["id"], "html": html}), flush=True)
