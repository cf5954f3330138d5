"""nh3 (ammonia) with its default settings, as `tamis check --command` asks it: a line of JSON in, a line out."""
import json
import sys

import nh3

for line in sys.stdin:
    fragment = json.loads(line)
    print(json.dumps({"id": fragment["id"], "html": nh3.clean(fragment["html"])}), flush=True)
