"""What servers do, as a table: each case is a name, what its site does, and what has to come of it.

`expect` is what the report may say in the first round, as words `outcome` or `outcome/reason`: more than one where the standard leaves
room or libcurl decides; never anything. Round 2 asks at once, when nothing is due; rounds 3 and 4 ask with --now: see `then` and `last`.
In bytes and addresses @name@, @host@, @here@ (`scheme://host`), @there@ (the case's second host), @trap@ and @ports@ (hosts where nobody
may come) are replaced; see fetch.py.
"""
from dataclasses import dataclass

import fetch_bodies as b
from fetch_bodies import FEED, FIXED
from misbehaving_server import CLOSE, Drip, Endless, HALF_CLOSE, Http, Pause

DAY = 86_400
XML = "Content-Type: application/rss+xml; charset=utf-8"
UNUSABLE = "failed/redirect failed/address failed/forbidden"


@dataclass(frozen=True)
class Case:
    name: str
    answer: object = CLOSE
    expect: str = "fetched"
    then: str = ""              # round 3; what is fetched may be unchanged, what fails fails again
    last: str = ""              # round 4; as round 3
    greeting: object = ()
    address: str = "http://@host@/feed"
    at: str = ""                # an address of its own
    listen: str = "http"        # or "closed", "silent", "nowhere", or a kind of certificate
    status: tuple = ()          # what the report may say; () is 200 for what is fetched, and unchecked else
    body: object = FEED         # what is stored in the end, or several of which one is
    requests: int = 1           # at most, in a round
    location: str = ""          # the final address, when it is another
    moved: tuple = ("",)        # permanent addresses in rounds 1, 3 and 4; the last goes on; None is not checked
    next: tuple = ()            # seconds from now: at least, at most
    coding: str = ""            # must be read if it was offered
    credentials: bool = False
    unseen: bool = False        # libcurl takes bytes that it shows nobody: only time limits them


def ok(*headers, body=FEED, coding=None, kind=XML, status="200 OK"):
    return Http(status, (kind, *headers) if kind else headers, body, coding)


def coded(name, coding, body=FEED):
    return ok(f"Content-Encoding: {name}", body=body, coding=coding)


def status(line, *headers, body=b"<p>Sorry.</p>"):
    return Http(line, ("Content-Type: text/html", *headers), body)


def to(location, line="302 Found", *headers):
    return Http(line, (f"Location: {location}", *headers))


def leads(location, line="302 Found", rest=None):
    """Only /feed is redirected: what it leads to answers."""
    return lambda request: to(location, line) if request.target == "/feed" else rest or ok()


def paths(answers):
    return lambda request: answers.get(request.target.partition("?")[0], status("404 Not Found"))


def by_round(answers):
    def answer(request):
        chosen = answers[max(number for number in answers if number <= request.round)]
        return chosen(request) if callable(chosen) else chosen
    return answer


def validated(header, field, answer=None, unchanged="304 Not Modified"):
    """Answers 304 to a request that repeats the validator exactly."""
    value = header.partition(": ")[2]
    return lambda request: Http(unchanged, (header,)) if request.header(field) == value else answer or ok(header)


def etag(value):
    return validated(f"ETag: {value}", "if-none-match")


def raw(head, body=b"", *end):
    return (head.replace(b"\n", b"\r\n") + body, *(end or (CLOSE,)))


def sized(length, *end, body=FEED, extra=b""):
    return raw(b"HTTP/1.1 200 OK\nContent-Type: text/xml\n" + extra + b"Content-Length: " + length + b"\n\n", body, *end)


def in_chunks(body, *end, extra=b""):
    return raw(b"HTTP/1.1 200 OK\nContent-Type: text/xml\n" + extra + b"Transfer-Encoding: chunked\n\n", body, *end)


def titled(title):
    return FEED.replace(b"@name@", title.encode())


OK_HEAD = b"HTTP/1.1 200 OK\nContent-Type: text/xml\n"
MALFORMED = "failed/protocol failed/headers"

GOOD = [
    Case("good: plain", ok()),
    Case("good: no type", ok(kind="")),
    Case("good: slow, within the limits", raw(OK_HEAD + b"\n", b"", Drip(FEED, 80, 0.3), CLOSE)),
    Case("good: until close, HTTP/1.0", raw(b"HTTP/1.0 200 OK\n\n", FEED)),
    Case("good: half closed by the server", sized(b"%d" % len(FIXED), HALF_CLOSE, body=FIXED), body=FIXED),
    Case("good: chunks", in_chunks(b.chunked(FIXED), CLOSE), body=FIXED),
    Case("good: chunks with extensions and a trailer", in_chunks(b.chunked(FIXED, 60, b";a=b", b"X: y\r\n"), CLOSE), body=FIXED),
    Case("good: chunks of one byte", in_chunks(b.chunked(FIXED, 1), CLOSE), body=FIXED),
    Case("good: an address of its own is allowed", ok(), at="127.3.0.7"),
    Case("good: two header fields of one name", ok("X-A: 1", "X-A: 2")),
    Case("good: 203", ok(status="203 Non-Authoritative Information"), "fetched failed/http", status=(203,)),
    Case("good: cookies are not kept", ok("Set-Cookie: id=1; Max-Age=99999"), then="fetched"),
    Case("good: alternative services, pins and pushes are not followed",
         ok('Alt-Svc: h2="@trap@"; ma=99999', "Strict-Transport-Security: max-age=99999", "Link: <http://@trap@/x>; rel=preload")),
    Case("good: credentials of the subscription", ok(), address="http://me:secret@@host@/feed", credentials=True),
    *(Case(f"good: one of twelve on a host: {number}", lambda request: (Pause(0.2), ok(body=titled(request.target))),
           at="127.1.1.253", address=f"http://@host@/feed{number}", body=titled(f"/feed{number}")) for number in range(12)),
]

VALIDATORS = [
    Case("validators: ETag", etag('"v1"'), then="not-modified"),
    Case("validators: Last-Modified", validated("Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "if-modified-since"), then="not-modified"),
    Case("validators: weak ETag", etag('W/"v1"'), then="not-modified"),
    Case("validators: ETag without quotes", etag("v1")),
    Case("validators: ETag quoted on one side", etag('"v1')),
    Case("validators: ETag with quotes inside", etag('"v"1"')),
    Case("validators: ETag of 8 KB", etag('"' + "x" * 8190 + '"')),
    Case("validators: ETag of Apache with -gzip", etag('"v1-gzip"'), then="not-modified"),
    Case("validators: ETag with control bytes", ok('ETag: "v\x011\x7f"'), "fetched failed/protocol failed/headers"),
    Case("validators: ETag with bytes above ASCII", ok('ETag: "v\xe91"')),
    Case("validators: ETag with a bare CR", ok('ETag: "v"\rX-Injected: 1'), "fetched " + MALFORMED),
    Case("validators: empty ETag", ok("ETag: ")),
    Case("validators: two ETags", ok('ETag: "a"', 'ETag: "b"')),
    Case("validators: an ETag that stays while the body changes",
         by_round({1: ok('ETag: "v1"'), 3: ok('ETag: "v1"', body=b.NEWER)}), then="fetched", body=b.NEWER),
    Case("validators: another ETag with 304", by_round({1: ok('ETag: "v1"'), 3: Http("304 Not Modified", ('ETag: "v2"',))}),
         then="not-modified"),
    Case("validators: 304 with a length", by_round({1: ok('ETag: "v1"'), 3: raw(b'HTTP/1.1 304 Not Modified\nContent-Length: 999\n\n')}),
         then="not-modified"),
    Case("validators: 304 with a body", by_round({1: ok('ETag: "v1"'), 3: raw(b"HTTP/1.1 304 Not Modified\n\n", b.POISON)}),
         then="not-modified failed/protocol"),
    Case("validators: 304 unasked", Http("304 Not Modified"), "failed/http failed/protocol", status=(304,)),
    Case("validators: 304 to a request that had none", by_round({1: ok(), 3: Http("304 Not Modified")}),
         then="not-modified failed/http failed/protocol"),
    Case("validators: 304 under another address is no answer for this one",
         by_round({1: ok('ETag: "v1"'), 3: leads("@there@/real", rest=Http("304 Not Modified"))}),
         then="not-modified failed/http failed/protocol", requests=2),
    Case("validators: modified in 2038", ok("Last-Modified: Wed, 20 Jan 2038 00:00:00 GMT")),
    Case("validators: modified in a year of five digits", ok("Last-Modified: Wed, 20 Jan 99999 00:00:00 GMT")),
    Case("validators: modified at no time", ok("Last-Modified: yesterday, <b>or so</b>")),
    Case("validators: modified in 1969", ok("Last-Modified: Wed, 31 Dec 1969 23:59:59 GMT")),
    Case("validators: 412", by_round({1: ok('ETag: "v1"'), 3: status("412 Precondition Failed")}), then="failed/http"),
]

SCHEDULE = [
    Case("schedule: max-age", ok("Cache-Control: public, max-age=86400"), next=(DAY // 4, 32 * DAY)),
    Case("schedule: max-age of 10^30", ok("Cache-Control: max-age=" + "9" * 30), next=(1, 32 * DAY)),
    Case("schedule: max-age of -1", ok("Cache-Control: max-age=-1"), next=(1, 32 * DAY)),
    Case("schedule: max-age quoted, twice, with rubbish",
         ok('Cache-Control: max-age="60", max-age=x,,; =', "Cache-Control: ,"), next=(1, 32 * DAY)),
    Case("schedule: no-store", ok("Cache-Control: no-store, no-cache", "Pragma: no-cache"), next=(1, 32 * DAY)),
    Case("schedule: Expires in 2100", ok("Expires: Fri, 01 Jan 2100 00:00:00 GMT"), next=(1, 32 * DAY)),
    Case("schedule: Expires: 0", ok("Expires: 0"), next=(1, 32 * DAY)),
    Case("schedule: Age above max-age", ok("Cache-Control: max-age=60", "Age: 99999999999"), next=(1, 32 * DAY)),
    Case("schedule: 429", status("429 Too Many Requests"), "failed/rate-limited", status=(429,), next=(60, 32 * DAY)),
    Case("schedule: a challenge of Cloudflare", status("403 Forbidden", "cf-mitigated: challenge"), "failed/challenge", status=(403,), next=(60, 32 * DAY)),
    Case("schedule: a challenge of Anubis, sent as a success",
         ok(body=b"<!doctype html><script id=\"anubis_version\"></script><script src=\"/.within.website/x/cmd/anubis/static/js/main.mjs\"></script>"),
         "failed/challenge", next=(60, 32 * DAY)),
    Case("schedule: 429, Retry-After of two hours", status("429 Too Many Requests", "Retry-After: 7200"), "failed/rate-limited",
         then="failed/rate-limited not-due", status=(429, None), next=(7100, 2 * DAY)),
    Case("schedule: 503, Retry-After of two hours", status("503 Service Unavailable", "Retry-After: 7200"), "failed/rate-limited",
         then="failed/rate-limited not-due", status=(503, None), next=(7100, 2 * DAY)),
    Case("schedule: Retry-After with a date long gone", status("503 Service Unavailable", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT"),
         "failed/rate-limited failed/http", status=(503,), next=(1, 2 * DAY)),
    Case("schedule: Retry-After with a date in 2100", status("429 Too Many Requests", "Retry-After: Fri, 01 Jan 2100 00:00:00 GMT"),
         "failed/rate-limited", then="failed/rate-limited not-due", next=(3600, 32 * DAY)),
    Case("schedule: Retry-After of a year", status("503 Service Unavailable", "Retry-After: 31536000"), "failed/rate-limited",
         then="failed/rate-limited not-due", next=(3600, 32 * DAY)),
    Case("schedule: Retry-After of 10^40", status("429 Too Many Requests", "Retry-After: 1" + "0" * 40), "failed/rate-limited",
         then="failed/rate-limited not-due", next=(60, 32 * DAY)),
    Case("schedule: Retry-After of -5", status("429 Too Many Requests", "Retry-After: -5"), "failed/rate-limited", next=(1, 32 * DAY)),
    Case("schedule: Retry-After: soon", status("503 Service Unavailable", "Retry-After: soon"), "failed/rate-limited failed/http",
         next=(1, 32 * DAY)),
    Case("schedule: 503 without a word", status("503 Service Unavailable"), "failed/http", status=(503,), next=(1, 32 * DAY)),
    Case("schedule: 200 with Retry-After", ok("Retry-After: 7200"), next=(1, 32 * DAY)),
]

STATUS = [
    *(Case(f"status: {code}", status(f"{code} Some Reason"), "failed/http", status=(code,))
      for code in (400, 401, 402, 403, 405, 406, 418, 421, 451, 500, 501, 502, 504, 511, 520, 599)),
    Case("status: 404", status("404 Not Found"), "failed/not-found", status=(404,)),
    Case("status: 404 with a feed in it", ok(status="404 Not Found"), "failed/not-found", status=(404,)),
    Case("status: 410", status("410 Gone"), "gone failed/gone", then="gone failed/gone not-due", status=(410, None)),
    Case("status: 410 for what was there", by_round({1: ok(), 3: status("410 Gone")}), then="gone failed/gone"),
    Case("status: 404 for what was there", by_round({1: ok(), 3: status("404 Not Found")}), then="failed/not-found"),
    Case("status: 401 asks for credentials", status("401 Unauthorized", 'WWW-Authenticate: Basic realm="x"'), "failed/http", status=(401,)),
    Case("status: 407 asks for credentials", status("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="x"'),
         "failed/http", status=(407,)),
    Case("status: 201", ok("Location: http://@trap@/", status="201 Created"), "fetched failed/http", status=(201,)),
    Case("status: 204", raw(b"HTTP/1.1 204 No Content\n\n"), "failed/empty", status=(204,)),
    Case("status: 205", status("205 Reset Content", body=b""), "failed/empty failed/http", status=(205,)),
    Case("status: 206 unasked", ok("Content-Range: bytes 0-99/9999", status="206 Partial Content"),
         "failed/http failed/protocol failed/cut-off", status=(206,)),
    Case("status: 226 unasked", ok("IM: feed", status="226 IM Used"), "fetched failed/http failed/protocol", status=(226,)),
    Case("status: 305 to a proxy", to("http://@trap@/", "305 Use Proxy"), "failed/http failed/redirect", status=(305,)),
    Case("status: 416", status("416 Range Not Satisfiable"), "failed/http", status=(416,)),
    *(Case(f"status: {code}", raw(b"HTTP/1.1 %b Odd\n\n" % code.encode(), FEED), "failed/http failed/protocol")
      for code in ("600", "999", "099", "000", "-20")),
    Case("status: 101 unasked", raw(b"HTTP/1.1 101 Switching Protocols\nUpgrade: h2c\nConnection: Upgrade\n\n", FEED),
         "failed/http failed/protocol failed/cut-off"),
    Case("status: 100 and 103, then 200", (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 3, ok())),
    Case("status: 100 for ever", Endless(b"HTTP/1.1 100 Continue\r\n\r\n"), MALFORMED + " failed/too-large"),
    Case("status: 103 for ever",
         Endless(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"), MALFORMED + " failed/too-large"),
    Case("status: 102 every second", Endless(b"HTTP/1.1 102 Processing\r\n\r\n", 1), "failed/timeout"),
]

CONTENT = [
    Case("content: text/plain", ok(kind="Content-Type: text/plain")),
    Case("content: application/octet-stream",
         ok("Content-Disposition: attachment; filename=../../etc/feed.xml", kind="Content-Type: application/octet-stream")),
    Case("content: text/html, and a feed", ok(kind="Content-Type: text/html")),
    Case("content: the type is rubbish", ok(kind="Content-Type: ;;charset=\xff\"")),
    Case("content: empty", ok(body=b""), "failed/empty"),
    Case("content: white space", ok(body=b" \r\n\t\n" * 9), "failed/empty failed/not-a-feed"),
    Case("content: HTML", ok(body=b.HTML, kind="Content-Type: text/html"), "failed/not-a-feed"),
    Case("content: HTML under a feed's type", ok(body=b.HTML), "failed/not-a-feed"),
    Case("content: HTML with an alternate link", ok(body=b.ALTERNATE, kind="Content-Type: text/html"), "failed/not-a-feed"),
    Case("content: HTML for what was a feed",
         by_round({1: ok(), 3: ok(body=b.HTML, kind="Content-Type: text/html")}), then="failed/not-a-feed"),
    Case("content: HTML with a meta refresh", ok(body=b.META_REFRESH, kind="Content-Type: text/html"), "failed/not-a-feed"),
    Case("content: a Refresh field", ok("Refresh: 0; url=http://@trap@/")),
    Case("content: JSON", ok(body=b'{"error": "no such feed"}', kind="Content-Type: application/json"), "failed/not-a-feed"),
    Case("content: JSON Feed", ok(body=b.JSON_FEED, kind="Content-Type: application/feed+json"), body=b.JSON_FEED),
    Case("content: a sitemap", ok(body=b.SITEMAP), "failed/not-a-feed"),
    Case("content: OPML", ok(body=b.OPML), "failed/not-a-feed"),
    Case("content: a picture", ok(body=b.PNG, kind="Content-Type: image/png"), "failed/not-a-feed"),
    Case("content: noise", ok(body=b.NOISE), "failed/not-a-feed"),
    Case("content: zeros", ok(body=bytes(100_000)), "failed/not-a-feed failed/empty"),
    Case("content: UTF-16", ok(body=FEED, coding=b.utf16, kind="Content-Type: application/xml"), body=b.utf16),
    Case("content: another charset in the field than in the document", ok(coding=b.latin1), body=b.latin1),
    Case("content: a mark and an empty line before the declaration", ok(body=b"\xef\xbb\xbf\r\n" + FEED), body=b"\xef\xbb\xbf\r\n" + FEED),
    Case("content: a warning of PHP's before the feed",
         ok(body=b"<br />\n<b>Warning</b>: x in y.php\n" + FEED), "fetched failed/not-a-feed",
         body=b"<br />\n<b>Warning</b>: x in y.php\n" + FEED),
    Case("content: a feed that its author cut off", ok(body=FEED[:-30]), body=FEED[:-30]),
]

NAMES = [
    Case("names: does not resolve", address="http://nothing.invalid/feed", expect="failed/resolve", listen="nowhere"),
    Case("names: a label of 64 bytes", address=f"http://{'a' * 64}.invalid/feed", expect="failed/resolve failed/address", listen="nowhere"),
    Case("names: a name of 300 bytes",
         address=f"http://{'a.' * 150}invalid/feed", expect="failed/resolve failed/address", listen="nowhere"),
    Case("names: port closed", expect="failed/connect", listen="closed"),
    Case("names: nobody accepts", expect="failed/timeout", listen="silent"),
]

CASES = GOOD + VALIDATORS + SCHEDULE + STATUS + CONTENT + NAMES


def all_cases():
    """Every case: those of this file, of redirects and addresses, and of what comes over the wire."""
    import fetch_cases_redirect
    import fetch_cases_wire
    cases = CASES + fetch_cases_redirect.CASES + fetch_cases_wire.CASES
    assert len({case.name for case in cases}) == len(cases), "two cases of one name"
    return cases
