"""Bodies of feeds, and content codings: what Python lacks is made by hand, so that no library decides what is tried."""
import base64
import functools
import gzip
import zlib

# What stands between @ is replaced when it is sent: see Visit.fill in misbehaving_server.py.
FEED = b"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>@name@</title><link>http://example.org/</link><description>A feed.</description>
<item><title>One</title><guid isPermaLink="false">@name@ 1</guid><description>The words of @name@.</description></item>
</channel></rss>
"""
# Of a length that a table can state.
FIXED = FEED.replace(b"@name@", b"fixed")
NEWER = FEED.replace(b"<item>", b"<item><title>Two</title><guid>@name@ 2</guid></item>\n<item>")
POISON = FEED.replace(b"<title>One", b"<title>POISON")
HTML = b"<!DOCTYPE html><html><head><title>@name@</title></head><body><p>No feed here.</p></body></html>\n"
ALTERNATE = HTML.replace(b"</head>", b'<link rel="alternate" type="application/rss+xml" href="/real"></head>')
META_REFRESH = HTML.replace(b"</head>", b'<meta http-equiv="refresh" content="0; url=/real"></head>')
JSON_FEED = b"""{"version": "https://jsonfeed.org/version/1.1", "title": "@name@", "items": [{"id": "1", "content_text": "Words."}]}"""
SITEMAP = b"""<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://example.org/</loc></url></urlset>
"""
OPML = b"""<opml version="2.0"><head><title>@name@</title></head><body><outline text="A" xmlUrl="@here@/real"/></body></opml>"""
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
# The same bytes in each run, of no meaning in any format.
NOISE = bytes(number * number % 251 ^ number % 17 for number in range(1, 20_000))


def utf16(body):
    return body.decode().replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16")


def latin1(body):
    """The document says and is ISO-8859-1, whatever the header says."""
    return body.replace(b"UTF-8", b"ISO-8859-1").replace(b"The words", b"Les \xe9t\xe9s")


def pack(body):
    return gzip.compress(body, mtime=0)


def deflate(body):
    return zlib.compress(body)


def raw_deflate(body):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()


def twice(body):
    return pack(pack(body))


def truncated(body):
    return pack(body)[:-12]


def unpacked_of_truncated(body):
    return zlib.decompressobj(31).decompress(truncated(body))


def bad_checksum(body):
    packed = bytearray(pack(body))
    packed[-8] ^= 0xff
    return bytes(packed)


def trailing_rubbish(body):
    return pack(body) + b"\r\n<!-- cached -->\r\n"


def members(body):
    """Two gzip members one behind the other, which is one gzip file."""
    return pack(body[:100]) + pack(body[100:])


@functools.cache
def gzip_bomb(_):
    """10 MB that come to 10 GB: one piece of a DEFLATE stream that stands for itself, again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(10 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + piece * 1000


@functools.cache
def gzip_bomb_below_the_limit(_):
    """Some 60 KB that come to 60 MB: no limit of what comes over the wire is met."""
    return pack(bytes(60 << 20))


def nested_bomb(body):
    return pack(gzip_bomb_below_the_limit(body))


def nothing_at_length(body):
    """Four times gzip, of deflate blocks without content: 4 GB of them at the innermost."""
    head, whole = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", zlib.Z_FULL_FLUSH

    def repeatable(data):
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        return packer.compress(data) + packer.flush(whole)

    blocks = repeatable(repeatable(b"\x00\x00\x00\xff\xff" * 4_000_000) * 200)
    return pack(head + repeatable(head + repeatable(head)) + blocks)


def brotli_stored(body):
    """A brotli stream of uncompressed parts (RFC 7932, 9.2), each of at most 64 KB."""
    out, bits, count = bytearray(), 0, 0

    def put(value, width):
        nonlocal bits, count
        bits |= value << count
        count += width
        while count >= 8:
            out.append(bits & 255)
            bits, count = bits >> 8, count - 8

    put(0, 1)   # a window of 64 KB
    for start in range(0, len(body), 1 << 16):
        part = body[start:start + (1 << 16)]
        put(0, 1)               # not the last
        put(0, 2)               # four nibbles of length
        put(len(part) - 1, 16)
        put(1, 1)               # uncompressed
        put(0, -count % 8)
        out += part
    put(3, 2)                   # the last, and empty
    put(0, -count % 8)
    return bytes(out)


def brotli_bomb(_):
    """256 MB of zeros, as Google's brotli 1.1 packs them at quality 11 with a window of 16 MB."""
    return base64.b64decode(
        "z///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x"
        "/+CYA4LADQvf/n//8//BMAcVgAoHv/z///f/gnAOKwAED3/p/////wTwDEYQGA7v0/////4Z8AiMMCAN37f/7//8M/ARCHBQC69//8//+HfwIg"
        "DgsAdO//+f//D/8EQBwWAOje//P//x/+CYA4LADQvf/n//8//BMAcVgAoHv/Pw==")


ZSTD_START = b"\x28\xb5\x2f\xfd\0\x38"     # the magic number; a frame with no size and no checksum; a window of 128 KB


def zstd_block(kind, size, content, last):
    return (size << 3 | kind << 1 | last).to_bytes(3, "little") + content


def zstd_stored(body):
    """A Zstandard frame of raw blocks (RFC 8878, 3.1.1.2)."""
    parts = [body[start:start + (1 << 17)] for start in range(0, len(body), 1 << 17)] or [b""]
    return ZSTD_START + b"".join(zstd_block(0, len(part), part, part is parts[-1]) for part in parts)


@functools.cache
def zstd_bomb(_):
    """10 GB in 320 KB: blocks that repeat one byte."""
    return ZSTD_START + zstd_block(1, 1 << 17, b" ", False) * (10 << 13) + zstd_block(1, 1, b" ", True)


def zstd_window_of_a_terabyte(body):
    """A frame that asks for a window of 1 TB, to be refused rather than allocated."""
    return ZSTD_START[:5] + b"\xf0" + zstd_block(0, len(body), body, True)


def chunked(body, size=100, extension=b"", trailer=b""):
    """A body in chunks, whole with its end."""
    parts = [body[start:start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x%b\r\n%b\r\n" % (len(part), extension, part) for part in parts) + b"0\r\n" + trailer + b"\r\n"
