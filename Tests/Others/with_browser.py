"""What runs in a browser: its own setHTML (the Sanitizer API), DOMPurify, or AngularJS's $sanitize.

Usage: with_browser.py chromium|firefox sethtml|dompurify|angular LEVEL

At P3 setHTML may keep all that it does not hold for dangerous, and DOMPurify runs with its defaults and custom elements.
The page asks the server that gave it for a fragment, and posts what it makes of it.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import levels

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "Browser"))
import engines  # noqa: E402

ANGULAR = pathlib.Path("/usr/share/javascript/angular.js")
SCRIPTS = {
    "sethtml": ([], """
        const sanitizer = level.name === "P3" ? {} : {
          elements: level.tags, attributes: level.attributeNames, replaceWithChildrenElements: level.others}
        clean = (html) => {
          const place = document.implementation.createHTMLDocument("").createElement("div")
          place.setHTML(html, {sanitizer})
          return place.innerHTML
        }"""),
    "dompurify": ([pathlib.Path(".build/others/javascript/dompurify.mjs"), here / "dompurify_settings.js"],
                  "clean = (html) => purify_default.sanitize(html, exports.settings(level))"),
    "angular": ([ANGULAR / "angular.js", ANGULAR / "angular-sanitize.js"],
                "clean = angular.injector(['ng', 'ngSanitize']).get('$sanitize')")}
PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>sanitizer</title>%s<script type="module">
const level = %s, exports = {}
let clean
%s
for (;;) {
  const fragment = await (await fetch("/job", {cache: "no-store"})).json()
  let reply
  try { reply = {html: clean(fragment)} } catch (error) { reply = {error: String(error)} }
  await fetch("/trees", {method: "POST", body: JSON.stringify(reply)})
}
</script>"""


def page(program, level):
    """The page that runs the program at this level."""
    files, script = SCRIPTS[program]
    texts = [file.read_text() for file in files]
    outside = "".join("<script>" + text.replace("</script", "<\\/script") + "</script>" for text in texts) if program == "angular" else ""
    inside = script if program == "angular" else "\n".join([*texts, script])
    # Elements that are not allowed give way to their content, as with other programs.
    known = levels.Level("P3").tags | {"center", "font"}
    facts = {"name": level.name, "tags": sorted(level.tags), "attributeNames": sorted(level.attribute_names) if level.tags else [],
             "others": sorted(known - level.tags)}
    return PAGE % (outside, json.dumps(facts), inside)


def start(engine, port, folder):
    """Starts the browser, which ends with this program at the latest."""
    command = getattr(engines, engine)(port, folder) or sys.exit(f"{engine} is not installed")
    environment = os.environ | {"HOME": folder, "MOZ_CRASHREPORTER_DISABLE": "1"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main(engine, program):
    level = levels.asked("P3") if program == "angular" else levels.asked()
    engines.PAGE = page(program, level)
    server = engines.Server()

    def clean(html):
        server.jobs.put(html)
        reply = server.answers.get()
        if "error" in reply:
            raise ValueError(reply["error"])
        return reply["html"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        browser = start(engine, server.server_port, folder)
        try:
            levels.answer(clean)
        finally:
            browser.kill()
            browser.wait()


main(*sys.argv[1:3])
