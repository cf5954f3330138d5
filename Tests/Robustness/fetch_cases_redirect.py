"""Cases of redirects, and of addresses that nobody may be led to; see fetch_cases.py."""
from fetch_bodies import POISON
from fetch_cases import Case, UNUSABLE, XML, by_round, leads, ok, paths, raw, status, to
from misbehaving_server import Http, STALL

REAL = "@here@/real"
THERE = "@there@/real"
# Addresses of this machine, of its neighbours and of clouds' metadata, as people have hidden them.
FORBIDDEN = {
    "loopback that is not allowed": "http://@trap@/",
    "the address behind the allowed ones": "http://127.1.4.0:@port@/",
    "the address before the allowed ones": "http://127.0.255.255:@port@/",
    "the neighbour of the one that is allowed": "http://127.3.0.8:@port@/",
    "10.0.0.1": "http://10.0.0.1:@port@/",
    "172.16.0.1": "http://172.16.0.1:@port@/",
    "192.168.0.1": "http://192.168.0.1:@port@/",
    "100.64.0.1": "http://100.64.0.1:@port@/",
    "169.254.169.254": "http://169.254.169.254/latest/meta-data/",
    "224.0.0.1": "http://224.0.0.1:@port@/",
    "255.255.255.255": "http://255.255.255.255:@port@/",
    "0.0.0.0": "http://0.0.0.0:@port@/",
    "one number": "http://2130706433:@port@/",
    "hexadecimal and short": "http://0x7f.1:@port@/",
    "short": "http://127.1:@port@/",
    "octal": "http://0177.0.0.01:@port@/",
    "zero": "http://0:@port@/",
    "a dot behind": "http://127.0.0.1.:@port@/",
    "percent-encoded": "http://%31%32%37.0.0.1:@port@/",
    "full-width digits": "http://\uff11\uff12\uff17.0.0.1:@port@/",
    "ideographic full stops": "http://127\u30020\u30020\u30021:@port@/",
    "localhost": "http://localhost:@port@/",
    "localhost.": "http://localhost.:@port@/",
    "LOCALHOST": "http://LOCALHOST:@port@/",
    "[::1]": "http://[::1]:@port@/",
    "[::]": "http://[::]:@port@/",
    "IPv4 in IPv6": "http://[::ffff:127.0.0.1]:@port@/",
    "IPv4 in IPv6, hexadecimal": "http://[::ffff:7f00:1]:@port@/",
    "IPv4-compatible": "http://[::127.0.0.1]:@port@/",
    "NAT64": "http://[64:ff9b::7f00:1]:@port@/",
    "6to4": "http://[2002:7f00:1::]:@port@/",
    "link-local IPv6": "http://[fe80::1]:@port@/",
    "unique local IPv6": "http://[fc00::1]:@port@/",
    "credentials that look like a host": "http://example.org@@trap@/",
    "a backslash before the real host": "http://@trap@\\@example.org/",
}
# What is no address of the web, or none that a feed is at.
UNUSABLE_ADDRESSES = {
    "file:": "file:///etc/passwd",
    "ftp:": "ftp://@trap@/feed",
    "gopher:": "gopher://@trap@/_GET%20/",
    "dict:": "dict://@trap@/d:x",
    "smb:": "smb://@trap@/x",
    "scp:": "scp://@trap@/x",
    "javascript:": "javascript:alert(1)",
    "data:": "data:application/rss+xml,<rss/>",
    "feed: of a file": "feed:file:///etc/passwd",
    "no host": "http:///",
    "a port above 65535": "http://127.0.0.1:99999/",
    "SSH's port": "http://@ports@:22/",
    "SMTP's port": "http://@ports@:25/",
    "an address of IPv6 that never ends": "http://[::1/",
    "a host with a NUL": "http://127.0.0.1%00.example.org/",
}


def latin(text):
    """As a header field has it: bytes of UTF-8."""
    return text.encode().decode("latin-1")


def moved_case(name, line, **more):
    return Case(name, leads(REAL, line), requests=2, location=REAL, **more)


FOLLOWED = [
    moved_case("redirect: 302", "302 Found"),
    moved_case("redirect: 303", "303 See Other"),
    moved_case("redirect: 307", "307 Temporary Redirect"),
    moved_case("redirect: 301", "301 Moved Permanently", moved=(None, REAL)),
    moved_case("redirect: 308", "308 Permanent Redirect", moved=(None, REAL)),
    Case("redirect: to another host", leads(THERE), requests=2, location=THERE),
    Case("redirect: permanently to another host", leads(THERE, "301 Moved Permanently"), requests=2, location=THERE, moved=(None, THERE)),
    *(Case(f"redirect: to {location!r}", leads(location), requests=2, location=end)
      for location, end in (("/real", REAL), ("real", REAL), ("./x/../real", REAL), (" /real ", REAL),
                            ("HTTP://@host@/real", REAL), ("/real?a=b&c=%20d", "@here@/real?a=b&c=%20d"))),
    Case("redirect: by a query", lambda request: ok() if "?" in request.target else to("?real"), requests=2, location="@here@/feed?real"),
    Case("redirect: to //host", leads("//@second@/real"), requests=2, location=THERE),
    Case("redirect: with a fragment", leads("/real#part"), requests=2),
    Case("redirect: bytes of UTF-8", leads(latin("/réal")), "fetched failed/redirect", requests=2),
    Case("redirect: bytes of ISO-8859-1", leads("/r\xe9al"), "fetched failed/redirect", requests=2),
    Case("redirect: a space inside", leads("/re al"), "fetched failed/redirect", requests=2),
    Case("redirect: CR LF in percent signs", leads("/real%0d%0aX-Injected:%201"), "fetched failed/redirect", requests=2),
    Case("redirect: a bare CR", leads("/real\rX-Injected: 1"), "fetched failed/redirect failed/protocol", requests=2),
    Case("redirect: a tab and control bytes", leads("/re\x01a\tl"), "fetched failed/redirect failed/protocol", requests=2),
    Case("redirect: credentials", leads("http://me:secret@@host@/real"), "fetched " + UNUSABLE, requests=2),
    Case("redirect: takes credentials nowhere else", leads(THERE), address="http://me:secret@@host@/feed", requests=2, location=THERE,
         credentials=True),
    Case("redirect: takes cookies nowhere",
         lambda request: ok() if request.target != "/feed" else to("/real", "302 Found", "Set-Cookie: a=b"),
         requests=2, location=REAL),
    Case("redirect: a body that is a feed", lambda request: ok() if request.target != "/feed" else
         Http("302 Found", (XML, "Location: /real"), POISON), requests=2, location=REAL),
    Case("redirect: a second answer behind the first is not the next one's", lambda request: ok() if request.target != "/feed" else
         (to("/real"), ok(body=POISON)), "fetched failed/protocol", requests=2, location=REAL),
    Case("redirect: five in a row", lambda request: ok() if request.target == "/4" else
         to("/0" if request.target == "/feed" else f"/{int(request.target[1:]) + 1}"), requests=6, location="@here@/4"),
    Case("redirect: to itself with a cookie, as walls do", to("/feed", "302 Found", "Set-Cookie: seen=1"), "failed/redirect", requests=22),
]

PERMANENT = [
    Case("permanent: the old address comes to be another's, the new one is asked",
         lambda request: ok() if request.target == "/real" else
         to("/real", "301 Moved Permanently") if request.round < 4 else ok(body=POISON),
         requests=2, location=REAL, moved=(None, REAL), then="fetched", last="fetched"),
    Case("permanent: temporary for ever, the old address is asked",
         lambda request: ok(body=POISON) if request.target == "/real" and request.round == 4 else
         ok() if request.round == 4 or request.target == "/real" else to("/real"), requests=2, last="fetched"),
    Case("permanent: once is not twice", by_round({1: leads("/real", "301 Moved Permanently"), 3: leads("/real", "302 Found")}),
         requests=2, location=REAL, moved=(None, None, "")),
    Case("permanent: to another place each time",
         lambda request: ok() if request.target != "/feed" else to(f"/real{request.round}", "301 Moved Permanently"),
         requests=2, moved=(None, None, None)),
    Case("permanent: to what is not there", paths({"/feed": to("/real", "301 Moved Permanently")}), "failed/not-found", requests=2,
         moved=("", "", "")),
    Case("permanent: to a page that is no feed", leads("/login", "301 Moved Permanently", ok(body=b"<html><title>Log in</title></html>")),
         "failed/not-a-feed", requests=2),
    Case("permanent: then temporary",
         paths({"/feed": to("/middle", "301 Moved Permanently"), "/middle": to("/real"), "/real": ok()}),
         requests=3, location=REAL, moved=(None, ("", "@here@/middle"))),
    Case("permanent: behind temporary", paths({"/feed": to("/middle"), "/middle": to("/real", "301 Moved Permanently"), "/real": ok()}),
         requests=3, location=REAL),
    Case("permanent: twice in a row", paths({"/feed": to("/middle", "301 Moved Permanently"),
                                             "/middle": to("/real", "308 Permanent Redirect"), "/real": ok()}),
         requests=3, location=REAL, moved=(None, REAL)),
    Case("permanent: to what is forbidden, and it stays with the old address",
         to("http://@trap@/", "301 Moved Permanently"), "failed/forbidden"),
]

REFUSED = [
    Case("redirect: 300 with Location",
         leads(REAL, "300 Multiple Choices"), "fetched failed/redirect failed/http", requests=2, status=(200, 300)),
    *(Case(f"redirect: {line} without Location", status(line), "failed/redirect failed/http")
      for line in ("300 Multiple Choices", "301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect")),
    Case("redirect: 306 with Location", to("http://@trap@/", "306 Switch Proxy"), "failed/redirect failed/http"),
    Case("redirect: 304 with Location", to("http://@trap@/", "304 Not Modified"), "failed/redirect failed/http failed/protocol"),
    Case("redirect: empty Location", to(""), "failed/redirect", requests=22),
    Case("redirect: to itself", to("/feed"), "failed/redirect", requests=22),
    Case("redirect: to itself, permanently", to("@here@/feed", "301 Moved Permanently"), "failed/redirect", requests=22),
    Case("redirect: two in a cycle", paths({"/feed": to("/a"), "/a": to("/feed")}), "failed/redirect", requests=22),
    Case("redirect: fifty in a row", lambda request: ok() if request.target == "/50" else
         to("/0" if request.target == "/feed" else f"/{int(request.target[1:]) + 1}"), "failed/redirect", requests=22),
    Case("redirect: a new place each time", lambda request: to(f"{request.target}x"), "failed/redirect", requests=22),
    Case("redirect: a longer place each time",
         lambda request: to(request.target + "x" * 4000), "failed/redirect failed/address failed/headers",
         requests=22),
    Case("redirect: slowly, each within its time", lambda request: (STALL if len(request.target) > 60 else to(f"{request.target}xxxx")),
         "failed/redirect failed/timeout", requests=22),
    Case("redirect: two Locations", lambda request: ok() if request.target != "/feed" else to("/real", "302 Found", "Location: /other"),
         "fetched failed/redirect failed/protocol", requests=2),
    Case("redirect: two Locations, the second to a trap",
         lambda request: ok() if request.target != "/feed" else to("/real", "302 Found", "Location: http://@trap@/"),
         "fetched failed/redirect failed/protocol failed/forbidden", requests=2),
    Case("redirect: Location of 100 KB", to("/" + "x" * 100_000), "failed/redirect failed/headers failed/protocol failed/address",
         requests=2),
    Case("redirect: Location of 60 KB", leads("/" + "x" * 60_000), "fetched failed/redirect failed/headers failed/protocol failed/address",
         requests=2),
    Case("redirect: a body that never ends", raw(b"HTTP/1.1 302 Found\nLocation: /real\nContent-Length: 999999\n\n", b"x", STALL),
         "failed/timeout failed/cut-off failed/protocol", requests=2),
    Case("redirect: from https to http", leads("http://@second@/real"), "failed/redirect failed/tls", listen="good",
         address="https://@host@/feed", requests=1),
]

CASES = FOLLOWED + PERMANENT + REFUSED + [
    case
    for name, address in FORBIDDEN.items()
    for case in (
        Case(f"forbidden: redirect to {name}", to(latin(address)),
             "failed/forbidden" if name in ("loopback that is not allowed", "10.0.0.1", "169.254.169.254", "[::1]") else UNUSABLE),
        Case(f"forbidden: subscription to {name}", expect="failed/forbidden failed/address", address=address, listen="nowhere"),
    )
] + [
    case
    for name, address in UNUSABLE_ADDRESSES.items()
    for case in (Case(f"unusable: redirect to {name}", to(address), UNUSABLE),
                 Case(f"unusable: subscription to {name}", expect="failed/address failed/forbidden", address=address, listen="nowhere"))
]
