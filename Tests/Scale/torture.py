#!/usr/bin/env python3
"""Ask the commands that map lines to lines with lines that nobody should write.

usage: torture.py TAMIS [--mutated N] [--seed N] [--only PART]

For each of sanitize, parse, extract and article: kinds of odd lines, each between two good ones, each answered in its place with
its own id or line and with the code that docs/records.md lists; the same bytes when asked again and with --guard. Then lines of
300 MB and of 1 GB, a reader that stalls, N mutated lines (100,000) with and without --guard, judged by Python's reader of JSON,
and a worker that crashes, hangs and grows under --guard. Exit code 0 when every line is answered as it must be.
"""
import argparse
import json
import pathlib
import random
import sys
import time

import records
from records import BODIES, packed

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 64 << 20
# No id of its own: the answer says the line.
NONE = object()


def _plain(body):
    """Kinds of lines about JSON and its encoding: name, line, id, codes of which one is answered (None: no error;
    with a plus: no error and a finding of that code)."""
    text = json.dumps(body)
    whole = b'{"id":"k","body":' + text.encode() + b"}"
    in_body = lambda odd: b'{"id":"k","body":' + text[:-1].encode() + odd + b'"}'
    bad, blank, mended = "record.json", "record.blank", "+record.encoding"
    yield "no byte of UTF-8 in the body", in_body(b"\xff\xfe"), "k", mended
    yield "a cut character of UTF-8 in the body", in_body(b"\xe2\x82"), "k", mended
    yield "a surrogate as UTF-8 in the body", in_body(b"\xed\xa0\x80"), "k", mended
    yield "no UTF-8 in another member", b'{"x":"\xff",' + whole[1:], "k", mended
    yield "no UTF-8 in the id", whole.replace(b'"k"', b'"k\xff"'), "k\ufffd", mended
    yield "a lone high surrogate in the body", in_body(b"\\ud800"), "k", None
    yield "a lone low surrogate in the body", in_body(b"\\udc00x"), "k", None
    yield "a lone surrogate in the id", whole.replace(b'"k"', b'"k\\ud800"'), "k\ufffd", None
    yield "a raw control character in the body", in_body(b"\x01"), "k", mended
    yield "a raw tabulator in the body", in_body(b"\t"), "k", mended
    yield "a raw NUL in the body", in_body(b"\x00"), "k", mended
    yield "an escaped NUL in the body", in_body(b"\\u0000"), "k", None
    yield "an unknown escape in the body", in_body(b"\\q"), "k", bad
    yield "a blank line", b"", NONE, blank
    yield "blanks only", b" \t \r", NONE, blank
    yield "a carriage return at the end", whole + b"\r", "k", None
    yield "a byte order mark at the start", b"\xef\xbb\xbf" + whole, "k", None
    yield "UTF-16", whole.decode().encode("utf-16-le"), NONE, (bad, "record.encoding")
    yield "a line of NULs", b"\0" * 4096, NONE, (bad, "record.encoding")
    yield "cut in a string", whole[:-20], "k", bad
    yield "cut in an escape", in_body(b"")[:-2] + b"\\u12", "k", bad
    yield "cut behind the id", whole[:8], ("k", NONE), bad
    yield "cut in the id", whole[:8].replace(b"k", b""), NONE, bad
    yield "an array", b"[" + whole + b"]", NONE, bad
    yield "a text", b'"body"', NONE, bad
    yield "null", b"null", NONE, bad
    yield "a number", b"17", NONE, bad
    yield "two objects", whole + whole, "k", bad
    yield "more behind the object", whole + b" x", "k", bad
    yield "a comma at the end", whole[:-1] + b",}", "k", bad
    yield "no quotes", b"{id:1}", NONE, bad
    yield "NaN", b'{"id":"k","x":NaN,' + whole[10:], "k", bad
    yield "a comment", b'{"id":"k",/* x */' + whole[10:], "k", bad
    yield "deep meta", b'{"id":"k","meta":' + b"[" * 100_000 + b"]" * 100_000 + b"," + whole[10:], "k", bad
    yield "deep objects that nobody knows", whole[:-1] + b',"x":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_001, "k", bad
    yield "deep and never closed", b"[" * 200_000, NONE, bad
    yield "many members", whole[:-1] + b"".join(b',"x%d":%d' % (n, n) for n in range(50_000)) + b"}", "k", None


def _members(body, command):
    """Kinds of lines about the members of a record."""
    def line(**members):
        return json.dumps({"id": "k", "body": body} | members).encode()
    def raw(number):
        return b'{"id":' + number + b',"body":' + json.dumps(body).encode() + b"}"
    wrong, odd = "record.body", "record.id"
    yield "whole", line(), "k", None
    yield "an id with a fraction", raw(b"1.5"), 1.5, None
    yield "an id with an exponent", raw(b"1e3"), 1e3, None
    yield "an id of thirty digits", raw(b"123456789012345678901234567890"), 123456789012345678901234567890, None
    yield "an id below zero", raw(b"-7"), -7, None
    yield "no id", json.dumps({"body": body}).encode(), NONE, None
    yield "null as id", line(id=None), NONE, None
    yield "an object as id", line(id={"a": 1}), NONE, odd
    yield "an array as id", line(id=[1]), NONE, odd
    yield "true as id", line(id=True), NONE, odd
    yield "an empty id", line(id=""), "", None
    yield "a long id", line(id="k" * 10_000), "k" * 10_000, None
    yield "the id at the end", json.dumps({"body": body, "id": "k"}).encode(), "k", None
    yield "an escaped name", raw(b'"k"').replace(b'"id"', b'"\\u0069d"'), "k", None
    yield "an escaped slash and characters beyond 16 bits in the id", line(id="a\U0001f600/\\\""), "a\U0001f600/\\\"", None
    yield "the id twice", b'{"id":"j",' + line()[1:], ("j", "k"), (None, "record.json")
    yield "the body twice", b'{"id":"k","body":"x",' + line()[11:], "k", (None, "record.json", "feed.not-a-feed")
    for name, version, code in (("of version 2", 2, "record.version"), ("of version 1", 1, None), ("of version 1.0", 1.0, (None, "record.version")),
                                ("of a text as version", "1", "record.version"), ("of a version of null", None, (None, "record.version"))):
            yield name, line(v=version), "k", code
    yield "both bodies", line(body64=packed(body.encode())), "k", wrong
    yield "no base64", json.dumps({"id": "k", "body64": "?*"}).encode(), "k", wrong
    yield "base64", json.dumps({"id": "k", "body64": packed(body.encode())}).encode(), "k", None
    yield "base64 that is cut", json.dumps({"id": "k", "body64": packed(body.encode() + b"xx")[:-3]}).encode(), "k", wrong
    for kind, value in (("number", 1), ("null", None), ("object", {}), ("array", [])):
        yield f"a body that is {kind}", line(body=value), "k", wrong
    yield "no body", b'{"id":"k"}', "k", wrong
    yield "body as html", json.dumps({"id": "k", "html": body}).encode(), "k", None
    yield "a member that nobody knows", line(colour="red", size=[1, {"a": None}]), "k", None


def kinds(command):
    """All kinds, and the metadata that an answer must bring back."""
    body = BODIES[command]
    for name, line, identity, codes in (*_plain(body), *_members(body, command)):
        yield name, line, identity, codes, None
    values = [None, True, 7, 1.5, "text", "", [], [1, [2]], {}, {"a": {"b": ["\u2028", "\U0001f600", "\u0000"]}}, "x" * 100_000]
    for value in values:
        line = json.dumps({"id": "k", "body": body, "meta": value}).encode()
        yield f"meta {json.dumps(value)[:24]}", line, "k", None, ("meta", value)
        line = json.dumps({"id": "k", "body": 1, "meta": value}).encode()
        yield f"meta {json.dumps(value)[:24]} of an error", line, "k", "record.body", ("meta", value)


def either(expected):
    return expected if isinstance(expected, tuple) else (expected,)


def judge(answer, identity, codes, meta):
    """What is wrong with the answer to a kind of line."""
    own = NONE if answer.get("id") is None else answer["id"]
    if not any(own is one or (own == one and type(own) is type(one)) for one in either(identity)):
        yield f"has the id {answer.get('id')!r}"
    code, found = answer.get("error", {}).get("code"), {f"+{finding['code']}" for finding in answer.get("findings", [])}
    if code not in either(codes) and not (code is None and found & set(either(codes))):
        yield f"is answered with {code}: {str(answer.get('error', {}).get('message'))[:80]}, findings {found}"
    if code is None and "+record.encoding" in found and "+record.encoding" not in either(codes):
        yield "says that bytes were replaced"
    if meta and (meta[0] not in answer) and meta[1] is not None or meta and answer.get("meta") != meta[1]:
        yield f"brings back the meta {str(answer.get('meta'))[:60]}"


class Torture:
    def __init__(self, tamis):
        self.tamis, self.problems, self.counts = tamis, [], {}

    def wrong(self, where, what):
        self.problems.append(f"{where}: {what}")

    def odd_lines(self, command):
        """Each kind between two good lines, all in one run."""
        cases, lines = list(kinds(command)), []
        for number, (_, line, *_) in enumerate(cases):
            lines += [records.record(command, 2 * number), line + b"\n"]
        answers, code, most = records.ask(self.tamis, command, lines)
        if code != 0 or len(answers) != len(lines):
            self.wrong(command, f"{len(answers)} answers to {len(lines)} lines, exit code {code}")
            return
        for number, line in enumerate(answers):
            name, _, identity, codes, meta = cases[number // 2] if number % 2 else ("a good line", None, number, None, None)
            try:
                answer = records.strict(line)
                found = records.flaws(answer, command, number + 1) or list(judge(answer, identity, codes, meta))
            except ValueError as error:
                found = [f"is no strict JSON: {error}"]
            for flaw in found:
                self.wrong(f"{command}, {name}", f"the answer {flaw}")
        self.counts[command] = len(cases)
        for options in ((), ("--guard",)):
            if records.ask(self.tamis, command, lines, *options)[0] != answers:
                self.wrong(command, f"other bytes when asked again{' with --guard' if options else ''}")
        strict = records.ask(self.tamis, command, lines, "--strict")
        if strict[0] != answers or strict[1] != 1:
            self.wrong(command, f"--strict: exit code {strict[1]}, the same answers: {strict[0] == answers}")
        if most > 2 * LIMIT:
            self.wrong(command, f"{most >> 20} MB of memory for odd lines")

    def huge(self, command, size, *options):
        """A line of `size` bytes between two good ones, made on the way."""
        def chunks():
            yield records.record(command, 1) + b'{"id":"huge","body":"'
            for _ in range(size >> 20):
                yield b"<p>harbour</p>\\n" * 65_536
            yield b'"}\n' + records.record(command, 3)
        where = f"{command} {' '.join(options)}, a line of {size >> 20} MB"
        run = records.Run(self.tamis, command, *options)
        run.feed(chunks())
        answers = [records.strict(line) for line in run.answers(3)]
        _, code = run.end()
        said = [(answer["id"], answer.get("error", {}).get("code")) for answer in answers]
        if code != 0 or said != [(1, None), ("huge", "record.too-large"), (3, None)]:
            self.wrong(where, f"answers {said}, exit code {code}")
        if run.peak > LIMIT:
            self.wrong(where, f"{run.peak >> 20} MB of memory")
        return run.peak

    def limits(self, command):
        """--max-record counts the bytes of the line, and one that is as long as that is answered."""
        line = records.record(command, 5, meta="x" * 2_000)
        for spare, code in ((0, None), (-1, "record.too-large")):
            answers, *_ = records.ask(self.tamis, command, [line], "--max-record", f"{len(line) - 1 + spare}B")
            said = [records.strict(answer).get("error", {}).get("code") for answer in answers]
            if said != [code]:
                self.wrong(command, f"--max-record {'of a byte less' if spare else 'as long as the line'}: {said}")
        late = b'{"body":"' + b"x" * (1 << 20) + b'","id":"late"}\n'
        answer = records.strict(records.ask(self.tamis, command, [late], "--max-record", "64K")[0][0])
        if (answer["id"], answer.get("line"), answer.get("error", {}).get("code")) not in (
                (None, 1, "record.too-large"), ("late", None, "record.too-large")):
            self.wrong(command, f"a large record with its id at the end is answered with {str(answer)[:200]}")

    def last_line(self, command):
        """A last line without a line feed is a line; no line is no answer."""
        line = records.record(command, 1)
        for text, count in ((line + line[:-1], 2), (line[:-10], 1), (b"", 0)):
            run = records.Run(self.tamis, command)
            run.feed([text])
            rest, code = run.end()
            if code != 0 or len(rest.splitlines()) != count:
                self.wrong(command, f"{len(rest.splitlines())} answers instead of {count} when the last line is not ended, exit code {code}")

    def stalled(self, command, *options):
        """A reader that waits: what is written to the command stops, its memory stays, and nothing is lost in the end."""
        count, line = 100_000, records.record(command, 0, meta="x" * 1_000)
        run = records.Run(self.tamis, command, *options)
        run.feed(line for _ in range(count))
        time.sleep(2)
        most = records.peak(run.process.pid)
        lines = run.answers(count)
        rest, code = run.end()
        if (len(lines), rest, code) != (count, b"", 0) or len(set(lines)) != 1:
            self.wrong(f"{command}, a reader that stalls", f"{len(lines)} answers of {count}, exit code {code}")
        if max(most, run.peak) > LIMIT:
            self.wrong(f"{command}, a reader that stalls", f"{max(most, run.peak) >> 20} MB of memory")
        return max(most, run.peak)

    def slow(self, command):
        """A worker that is slower than who writes: the guard keeps no more than its window, however much there is."""
        count, line = 4_000, records.record(command, 0, meta="x" * 20_000)
        worker = {"TAMIS_WORKER": str(HERE / "faulty_worker.py"), "TAMIS_REAL": str(self.tamis)}
        run = records.Run(self.tamis, command, "--guard", environment=worker)
        run.feed(line for _ in range(count))
        lines = run.answers(count)
        rest, code = run.end()
        if (len(lines), rest, code) != (count, b"", 0):
            self.wrong(f"{command}, a slow worker", f"{len(lines)} answers of {count}, exit code {code}")
        if run.peak > LIMIT * 3 // 4:
            self.wrong(f"{command}, a slow worker", f"{run.peak >> 20} MB of memory")
        return run.peak

    def mutated(self, command, count, seed):
        """Lines with bytes that were changed, taken away, doubled and moved; Python's reader of JSON says which are whole."""
        chance = random.Random(f"{command} {seed}")
        for start in range(0, count, 20_000):
            lines = [mutate(chance, command, number) for number in range(start, min(start + 20_000, count))]
            plain = records.ask(self.tamis, command, lines)
            guarded = records.ask(self.tamis, command, lines, "--guard")
            if plain[:2] != guarded[:2]:
                other = next((n for n, pair in enumerate(zip(plain[0], guarded[0])) if pair[0] != pair[1]), None)
                self.wrong(command, f"mutated lines from {start}: other answers with --guard, first at {other}, exit code {guarded[1]}")
            if plain[1] != 0 or len(plain[0]) != len(lines):
                self.wrong(command, f"mutated lines from {start}: {len(plain[0])} answers of {len(lines)}, exit code {plain[1]}")
                return
            for number, (line, answer) in enumerate(zip(lines, plain[0])):
                for flaw in judge_mutated(line, answer, command, number + 1):
                    self.wrong(f"{command}, the mutated line {line[:300]!r}", f"the answer {flaw}: {answer[:200]!r}")

    def faults(self, command):
        """A worker that crashes, hangs, grows, and ends in the middle of an answer costs the line it was at."""
        self.faulty(command, {10: ("die", "record.crashed"), 11: ("die", "record.crashed"), 41: ("chat", "record.crashed"),
                              70: ("grow", "record.memory"), 99: ("die", "record.crashed")}, "--max-memory", "256M")
        # A hang has a run of its own: with a short limit, a busy machine could call another line slow.
        self.faulty(command, {40: ("hang", "record.too-slow")}, "--max-time", "5s")

    def faulty(self, command, marks, *options):
        """Asks 100 lines of a worker with `marks`, which say by a line's number what the worker does and the error it costs."""
        lines = []
        for number in range(100):
            line = records.record(command, number, meta={"mark": f"zz-{marks[number][0]}-zz"} if number in marks else {"n": number})
            # Every seventh has no id: the line is counted on, whichever worker answers.
            lines.append(line.replace(b'"id": %d, ' % number, b"", 1) if number % 7 == 0 else line)
        worker = {"TAMIS_WORKER": str(HERE / "faulty_worker.py"), "TAMIS_REAL": str(self.tamis)}
        answers, code, _ = records.ask(self.tamis, command, lines, "--guard", *options, environment=worker)
        where = f"{command} --guard with faults"
        if code != 0 or len(answers) != len(lines):
            self.wrong(where, f"{len(answers)} answers of {len(lines)}, exit code {code}")
        for number, line in enumerate(answers):
            answer = records.strict(line)
            expected = marks[number][1] if number in marks else None
            found = records.flaws(answer, command, number + 1)
            found += list(judge(answer, NONE if number % 7 == 0 else number, expected, ("meta", json.loads(lines[number])["meta"])))
            for flaw in found:
                self.wrong(f"{where}, line {number + 1}", f"the answer {flaw}")


def mutate(chance, command, number):
    """A record with one to four faults; never a line feed."""
    line = bytearray(records.record(command, f"m{number}", meta=chance.choice([None, 1, {"a": [True, "é"]}]))[:-1])
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        at, what = chance.randrange(len(line) or 1), chance.randrange(7)
        if what == 0:
            line[at:at + 1] = bytes([chance.choice([0, 1, 9, 13, 34, 39, 44, 58, 91, 92, 93, 123, 125, 127, 128, 192, 237, 255])])
        elif what == 1:
            del line[at:at + chance.choice([1, 1, 2, 8, 60])]
        elif what == 2:
            line[at:at] = line[chance.randrange(len(line) or 1):][:chance.choice([1, 4, 40])]
        elif what == 3:
            line[at:at] = chance.choice([b"\\", b"\\u", b"\\ud83d", b'"', b"{", b"[[[", b"null", b"1e9999", b"\xef\xbb\xbf", b'","v":1,"'])
        elif what == 4:
            del line[at:]
        elif what == 5 and line:
            line[at % len(line)] ^= 1 << chance.randrange(8)
        else:
            line[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 6)))
    return bytes(line).replace(b"\n", b"\r") + b"\n"


def read(line):
    """What Python makes of a line that may hold raw control characters and bytes that are no UTF-8; None when it is no JSON."""
    try:
        return json.loads(line.decode("utf-8", "replace"), parse_constant=records.no_constant, strict=False)
    except (ValueError, RecursionError):
        return None


def judge_mutated(line, answer, command, number):
    try:
        answer = records.strict(answer)
    except ValueError as error:
        return [f"is no strict JSON ({error})"]
    found = records.flaws(answer, command, number)
    value = read(line)
    if value is None:
        # What Python cannot read either is no record. A backslash before a raw control character is mended, and said.
        mended = any(finding["code"] == "record.encoding" for finding in answer.get("findings", []))
        if "error" not in answer and not mended and not line.startswith(b"\xef\xbb\xbf"):
            found.append("is none to a line that is no JSON")
        return found
    if isinstance(value, dict) and isinstance(value.get("id"), str):
        own = value["id"].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if answer["id"] != own and line.count(b"id") < 3:
            found.append(f"has not the id {own!r}")
        whole = isinstance(value.get("body"), str) and "body64" not in value and "v" not in value and command == "sanitize"
        if whole and "error" in answer and line.count(b'"body"') == 1:
            found.append("is an error to a record that is whole")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis")
    parser.add_argument("--mutated", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("odd", "huge", "stalled", "mutated", "faults"))
    options = parser.parse_args()
    torture = Torture(pathlib.Path(options.tamis).resolve())
    parts = (options.only,) if options.only else ("odd", "huge", "stalled", "mutated", "faults")
    peaks = [0]
    for command in BODIES:
        if "odd" in parts:
            torture.odd_lines(command)
            torture.limits(command)
            torture.last_line(command)
        if "huge" in parts:
            peaks += [torture.huge(command, 300 << 20), torture.huge(command, 300 << 20, "--guard")]
        if "faults" in parts:
            torture.faults(command)
    for command in ("sanitize", "parse"):
        if "mutated" in parts:
            torture.mutated(command, options.mutated, options.seed)
    if "huge" in parts:
        peaks.append(torture.huge("sanitize", 1 << 30, "--guard"))
    if "stalled" in parts:
        peaks += [torture.stalled("sanitize"), torture.stalled("parse", "--guard"), torture.slow("sanitize")]
    print("\n".join(torture.problems[:60]))
    told = ", ".join(f"{count} kinds for {command}" for command, count in torture.counts.items())
    memory = f"; at most {max(peaks) >> 20} MB of memory for huge lines and stalled readers" if len(peaks) > 1 else ""
    print(f"{told or 'torture'}; parts {' '.join(parts)}{memory}; {len(torture.problems)} wrong")
    return 1 if torture.problems else 0


if __name__ == "__main__":
    sys.exit(main())
