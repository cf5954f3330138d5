"""Browsers that build trees of fragments: Chromium, Firefox and WebKit, as Debian packages them.

A page drives itself: it asks the server that gave it for fragments, builds them, and posts the trees back. The server is also the
browsers' proxy, so that a request for anything else is seen and answered with nothing.
"""
import contextlib
import http.server
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import urllib.parse

PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>trees</title><script>
const names = {"http://www.w3.org/1999/xhtml": "", "http://www.w3.org/2000/svg": "svg ", "http://www.w3.org/1998/Math/MathML": "math "}
// Names in forms hide properties, so that these are taken from where they are defined.
const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get
const [children, kind, local, space, attributes, content] = [
  getter(Node, "childNodes"), getter(Node, "nodeType"), getter(Element, "localName"), getter(Element, "namespaceURI"),
  getter(Element, "attributes"), getter(HTMLTemplateElement, "content")]
const read = (node) => {
  if (kind.call(node) === 3) return node.data
  if (kind.call(node) !== 1) return null
  const values = {}
  for (const attribute of attributes.call(node)) values[attribute.name] = attribute.value
  const inner = node instanceof HTMLTemplateElement ? content.call(node) : node
  return [(names[space.call(node)] ?? "? ") + local.call(node), values, ...[...children.call(inner)].map(read).filter((x) => x !== null)]
}
const spaces = Object.fromEntries(Object.entries(names).map(([uri, name]) => [name, uri]))
// The encoding of a page that the server gives.
const encoding = (address) => new Promise((done) => {
  const frame = document.createElement("iframe")
  frame.onload = () => { const name = frame.contentDocument.characterSet; frame.remove(); done([name]) }
  frame.src = address
  document.documentElement.append(frame)
})
const EVENTS = ["mouseover", "mouseenter", "mousemove", "mousedown", "mouseup", "pointerenter", "pointerdown", "click", "dblclick",
  "contextmenu", "focus", "blur", "focusin", "keydown", "input", "change", "select", "toggle", "copy", "paste", "drag", "wheel"]
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))
// Whether a fragment runs script in a page, by itself or when a reader does something with its elements.
const run = async (html, frame) => {
  const [view, page] = [frame.contentWindow, frame.contentDocument]
  let hasRun = false
  for (const name of ["alert", "confirm", "prompt", "print"]) view[name] = () => { hasRun = true }
  const place = page.createElement("div")
  page.body.append(place)
  // Scripts run, which innerHTML would prevent.
  place.append(page.createRange().createContextualFragment(html))
  await pause(60)
  // Names in forms hide these.
  const [closest, dispatch] = [view.Element.prototype.closest, view.EventTarget.prototype.dispatchEvent]
  for (const element of place.querySelectorAll("*")) {
    for (const name of EVENTS) {
      // A click on another link leaves the page, and so does a form that is sent.
      if (name === "click" && closest.call(element, "a, area, form") && !/javascript:/i.test(html.replace(/\s/g, ""))) continue
      dispatch.call(element, new view.MouseEvent(name, {bubbles: true, cancelable: true}))
    }
  }
  await pause(60)
  return [hasRun]
}
// What the browser's own sanitizer leaves of a fragment.
const sanitized = (html, sanitizer) => {
  const place = document.createElement("div")
  if (!place.setHTML) return ["no setHTML"]
  try {
    place.setHTML(html, {sanitizer})
  } catch (error) {
    if (error instanceof TypeError) return ["TypeError"]
    throw error
  }
  return [...children.call(place)].map(read).filter((x) => x !== null)
}
const build = async ([html, context]) => {
  if (context === "page") return encoding(html)
  if (context === "run") {
    const frame = document.createElement("iframe")
    document.documentElement.append(Object.assign(frame, {sandbox: "allow-scripts allow-same-origin allow-forms"}))
    return run(html, frame).catch((error) => [false, String(error)]).finally(() => frame.remove())
  }
  if (context.startsWith("setHTML ")) return sanitized(html, JSON.parse(context.slice(8)))
  if (context === "sanitizer default") return [JSON.stringify(new Sanitizer("default").get())]
  // A document of its own, in which nothing runs and nothing is loaded.
  const [, prefix, name] = /^(svg |math |)(.*)$/.exec(context)
  const place = document.implementation.createHTMLDocument("").createElementNS(spaces[prefix], name)
  place.innerHTML = html
  return [...children.call(place)].map(read).filter((x) => x !== null)
}
const work = async () => {
  for (;;) {
    const job = await (await fetch("/job", {cache: "no-store"})).json()
    if (!job) return
    const built = []
    // Many at once, since some wait.
    for (let start = 0; start < job.length; start += 16) built.push(...await Promise.all(job.slice(start, start + 16).map(build)))
    await fetch("/trees", {method: "POST", body: JSON.stringify(built)})
  }
}
work()
</script>"""

FIREFOX = """user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", {port});
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", {port});
user_pref("network.proxy.allow_hijacking_localhost", true);
user_pref("app.update.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("toolkit.telemetry.enabled", false);
"""


class Server(http.server.ThreadingHTTPServer):
    """Gives the page and its jobs, and takes what it builds."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.jobs, self.answers = queue.Queue(), queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers one request of a browser."""

    def log_message(self, *_):
        pass

    def give(self, body, kind="text/html; charset=utf-8", status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(body)

    def do_GET(self):
        path = self.path.removeprefix(f"http://127.0.0.1:{self.server.server_port}")
        if path == "/page":
            self.give(PAGE.encode())
        elif path == "/job":
            self.give(json.dumps(self.server.jobs.get()).encode(), "application/json")
        elif path.startswith("/encoded?"):
            charset, body = path.removeprefix("/encoded?").split("&")
            self.give(urllib.parse.unquote_to_bytes(body), "text/html" + (f"; charset={charset}" if charset else ""))
        else:
            self.give(b"", status=404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        # Browsers post reports of their own.
        if self.path.removeprefix(f"http://127.0.0.1:{self.server.server_port}") == "/trees":
            self.server.answers.put(json.loads(body))
        self.give(b"")

    def do_CONNECT(self):
        self.give(b"", status=404)


def chromium(port, folder):
    """The command that opens the page in Chromium; None when it is not installed."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return program and [
        program, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}",
        f"--proxy-server=127.0.0.1:{port}", "--disable-background-networking", f"http://127.0.0.1:{port}/page"]


def firefox(port, folder):
    """The command that opens the page in Firefox; None when it is not installed."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    (pathlib.Path(folder) / "user.js").write_text(FIREFOX.format(port=port))
    return program and [program, "--headless", "--no-remote", "--profile", folder, f"http://127.0.0.1:{port}/page"]


def webkit(port, folder):
    """The command that opens the page in WebKitGTK; None when it or what it needs is not installed."""
    browsers = sorted(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    needed = all(shutil.which(name) for name in ("xvfb-run", "dbus-run-session"))
    return [
        "xvfb-run", "-a", "dbus-run-session", "--", str(browsers[-1]), "--private", f"--proxy=http://127.0.0.1:{port}",
        f"http://127.0.0.1:{port}/page"] if browsers and needed else None


ENGINES = {"chromium": chromium, "firefox": firefox, "webkit": webkit}
# How many fragments a browser is given at once, and for how many seconds it is waited for.
BATCH, PATIENCE = 400, 180


def trees(engine, fragments, batch=BATCH, patience=PATIENCE):
    """What a browser builds of each fragment: lists of texts and of [name, attributes, child, …].

    A fragment is read as the content of a `div`, or is a pair of a fragment and its context such as `td` or `svg path`. A pair of
    `/encoded?CHARSET&PERCENT-ENCODED-BYTES` and `page` becomes a list with the name of the encoding in which that page is read. A pair
    of a fragment and `run` becomes a list that says whether it calls `alert`, `confirm`, `prompt` or `print`.

    None when the browser is not installed. Raises TimeoutError when it does not answer.
    """
    server = Server()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = ENGINES[engine](server.server_port, folder)
        if not command:
            return None
        environment = os.environ | {
            "HOME": folder, "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "MOZ_CRASHREPORTER_DISABLE": "1",
            # Its sandbox does not start as root; the page has nothing but fragments of ours.
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            built = []
            for start in range(0, len(fragments), batch):
                server.jobs.put([
                    (part, "div") if isinstance(part, str) else part for part in fragments[start:start + batch]])
                try:
                    built += server.answers.get(timeout=patience)
                except queue.Empty:
                    raise TimeoutError(f"{engine} does not answer") from None
            server.jobs.put(None)
            return built
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
            process.wait()
            server.shutdown()


def exit_code(faults, count, minimum):
    """The exit code of a check: 1 when there are faults, or fewer browsers than are needed."""
    if count < minimum:
        print(f"{count} browsers, {minimum} are needed")
    return 1 if faults or count < minimum else 0
