"""Many feeds of servers in good order: what a second run costs, and what is left of one that was killed; see fetch.py."""
import hashlib
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from misbehaving_server import Orderly, Server, free_port

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Benchmarks"))
from many_feeds import Feeds  # noqa: E402

ALLOWED = ["127.5.0.0/16"]
SCALE_FEEDS, HANGING, SCALE_CPU = 300, 30, 1.5
MANY_FEEDS, MANY_POSTS, MANY_CHANGED, MANY_SHARE, MANY_MEMORY = 2000, 50, 20, 3.0, 120 << 20
KILL_FEEDS, KILL_LATENCY, KILL_AT_ONCE = 150, 0.15, 8
# So many documents a kill may cost: those being sent, those being put in place, and those that wait for it.
UNSETTLED = 3 * KILL_AT_ONCE
# Times of day that pages and feeds may give; with --reproducible there should be none that differ.
TIMES = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]?\w+")


class Planet:
    """Feeds in a folder, served by hosts of loopback, some of which hang."""

    def __init__(self, feeds, posts, hosts, hanging=0, latency=0.0):
        memory = pathlib.Path("/dev/shm")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tamis-planet-", dir=memory if memory.is_dir() else None))
        self.feeds, self.server = Feeds(self.folder / "feeds", feeds, posts), Server()
        names = sorted(path.name for path in (self.folder / "feeds").iterdir())
        addresses = [f"127.5.{number // 250}.{number % 250 + 1}" for number in range(hosts)]
        port = free_port(addresses)
        self.hang = frozenset(f"/{name}" for name in names[:: max(1, feeds // hanging)][:hanging]) if hanging else frozenset()
        for address in addresses:
            self.server.listen(Orderly(address, self.folder / "feeds", self.hang, latency), address, port)
        self.urls = [f"http://{addresses[number % hosts]}:{port}/{name}" for number, name in enumerate(names)]

    def answers(self):
        """Statuses and bytes of what was asked since the memory was emptied."""
        asked = self.server.requests
        return {"200": sum(request.answered == 200 for request in asked), "304": sum(request.answered == 304 for request in asked),
                "head": sum(request.head_bytes for request in asked), "body": sum(request.body_bytes for request in asked)}

    def stop(self):
        self.server.stop()
        shutil.rmtree(self.folder)


def configuration(urls, at_once=64):
    """The one place that knows how a planet is written down."""
    networks = ", ".join(ALLOWED)
    return ("site:\n  title: Many\n  link: https://planet.example/\n  output: site\n  archive: planet.archive\n"
            f"fetch:\n  allow: [{networks}]\n  delay: 0s\n  at-once: {at_once}\n  per-host: 8\n  timeout: 8s\n"
            "feeds:\n" + "".join(f"  - {url}\n" for url in urls))


def build_command(tamis):
    """The one place that knows how a planet is built: every feed is asked, and the clock is not."""
    return [tamis, "build", "--config", "tamis.yaml", "--now", "--reproducible"]


def agents(server):
    """What is wrong with how requests name who asks."""
    wrong = {request.header("user-agent") for request in server.requests
             if not re.search(r"tamis/.*\+https?://planet\.example/", request.header("user-agent") or "")}
    return [f"User-Agent {agent!r} does not say where its site is" for agent in sorted(map(str, wrong))]


def scale(tamis):
    from fetch import LIMITS, WHOLE, fetch_command, read_report, run
    planet, folder, problems = Planet(SCALE_FEEDS, 20, SCALE_FEEDS, HANGING), pathlib.Path(tempfile.mkdtemp()), []
    try:
        for number in (1, 2):
            planet.server.round = number
            planet.server.forget()
            result = run(fetch_command(tamis, planet.urls, folder, number > 1, allowed=ALLOWED, limits=LIMITS), folder, 6 * WHOLE)
            lines, wrong = read_report(folder / "report.jsonl", planet.urls)
            answers = planet.answers()
            print(f"run {number}: {result['seconds']:.1f} s, {result['cpu']:.2f} s of CPU, {result['memory'] >> 20} MB, "
                  f"server sent {answers}", flush=True)
            problems += wrong + planet.server.faults
            if result["code"] not in (0, 1):
                problems.append(f"run {number}: exit code {result['code']}: {result['said'][-300:]}")
            if result["seconds"] > WHOLE + 4:
                print(f"over the bar: run {number}: {result['seconds']:.1f} s, with a limit of {WHOLE} s for a feed")
            good = "fetched" if number == 1 else "not-modified"
            for url, line in zip(planet.urls, lines):
                wanted = ("failed", "timeout") if any(url.endswith(path) for path in planet.hang) else (good, None)
                if (line.get("outcome"), line.get("reason")) != wanted:
                    problems.append(f"run {number}: {url}: {line.get('outcome')}/{line.get('reason')} instead of {wanted}")
            if number == 2 and (answers["body"] or answers["304"] != SCALE_FEEDS - HANGING):
                problems.append(f"run 2: {answers['body']} bytes of bodies, {answers['304']} answers of 304")
            if result["cpu"] > SCALE_CPU and number == 2:
                print(f"over the bar: run 2: {result['cpu']:.2f} s of CPU, {SCALE_CPU} s are enough")
        return problems
    finally:
        planet.stop()
        shutil.rmtree(folder)


def many(tamis):
    from fetch import run
    planet, folder, problems = Planet(MANY_FEEDS, MANY_POSTS, 200), pathlib.Path(tempfile.mkdtemp()), []
    (folder / "tamis.yaml").write_text(configuration(planet.urls), encoding="utf-8")
    cold = None
    try:
        for name, changed in (("cold", 0), ("nothing changed", 0), (f"{MANY_CHANGED} feeds changed", MANY_CHANGED)):
            for number in range(changed):
                planet.feeds.add_post(number * MANY_FEEDS // changed)
            planet.server.forget()
            result = run(build_command(tamis), folder, 1800)
            cold = cold or result["cpu"]
            share, answers = 100 * result["cpu"] / cold, planet.answers()
            print(f"{name:<18} {result['seconds']:>7.1f} s {result['cpu']:>8.2f} s of CPU {share:>7.2f} % {result['memory'] >> 20:>6} MB, "
                  f"server sent {answers}", flush=True)
            problems += planet.server.faults + agents(planet.server)
            if result["code"] != 0:
                problems.append(f"{name}: exit code {result['code']}: {result['said'][-300:]}")
                break
            if result["memory"] > MANY_MEMORY:
                print(f"over the bar: {name}: {result['memory'] >> 20} MB, {MANY_MEMORY >> 20} MB are enough")
            if name != "cold" and share > MANY_SHARE:
                print(f"over the bar: {name}: {share:.1f} % of the first run's CPU, {MANY_SHARE} % are enough")
            if answers["200"] != (MANY_FEEDS if name == "cold" else changed) or answers["200"] + answers["304"] != MANY_FEEDS:
                problems.append(f"{name}: {answers['200']} answers of 200 and {answers['304']} of 304")
        return problems
    finally:
        planet.stop()
        shutil.rmtree(folder)


def site_of(folder):
    """The site's files with digests of what is no time."""
    site = folder / "site"
    return {str(path.relative_to(site)): hashlib.sha256(TIMES.sub(b"TIME", path.read_bytes())).hexdigest()
            for path in sorted(site.rglob("*")) if path.is_file()}


def kill_after(command, folder, seconds):
    """Runs a command and kills it after a time; answers whether it was still running then."""
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(seconds)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            return True


def resent(requests):
    """How many documents were sent although they had been before."""
    sent = [(request.visit.address, request.target) for request in requests if request.answered == 200]
    return len(sent) - len(set(sent))


def half_written(folder, planet, is_done=False):
    """Files of `fetch --into` that are not whole.

    A document is put in place last: what lies beside it says nothing while it is not there, as after a kill between the two.
    """
    from fetch import stored
    by_url = {url: planet.folder / "feeds" / url.rpartition("/")[2] for url in planet.urls}
    for url, (body, has_headers) in stored(folder / "feeds").items():
        if body is None and not is_done and url in by_url:
            continue
        if url not in by_url or body != by_url[url].read_bytes() or not has_headers:
            yield f"{url} is stored, but not whole"


def kill_trial(tamis, planet, chance, kind, length, expected):
    """Kills a run, and another of every third, and lets the last one end."""
    from fetch import LIMITS, fetch_command, run
    folder, problems, kills = pathlib.Path(tempfile.mkdtemp()), [], 0
    (folder / "tamis.yaml").write_text(configuration(planet.urls, KILL_AT_ONCE), encoding="utf-8")
    limits = [*LIMITS, "--set", f"fetch.at-once={KILL_AT_ONCE}"]
    fetch = fetch_command(tamis, planet.urls, folder, True, allowed=ALLOWED, limits=limits)
    planet.server.forget()
    try:
        for _ in range(1 + (chance.random() < 0.33)):
            kills += kill_after(build_command(tamis) if kind == "build" else fetch, folder, chance.random() * length[kind])
            problems += half_written(folder, planet) if kind == "fetch" else []
        result = run(build_command(tamis) if kind == "build" else fetch, folder, 60 + 4 * length[kind])
        if result["code"] != 0:
            problems.append(f"the run after it: exit code {result['code']}: {result['said'][-300:]}")
        again = resent(planet.server.requests)
        if again > UNSETTLED * kills:
            problems.append(f"{again} feeds were sent once more after {kills} kills: {UNSETTLED} each may be")
        sent = {}
        for request in planet.server.requests:
            sent[request.target] = sent.get(request.target, 0) + (request.answered == 200)
        problems += [f"{target} was sent {count} times with {kills} kills" for target, count in sent.items() if count > 1 + kills]
        if kind == "build":
            site = site_of(folder)
            problems += [f"{path} is in one site only" for path in sorted(site.keys() ^ expected.keys())]
            problems += [f"{path} is another" for path in sorted(site.keys() & expected.keys()) if site[path] != expected[path]]
        else:
            problems += half_written(folder, planet, is_done=True)
        return kills, problems[:10] + planet.server.faults
    finally:
        shutil.rmtree(folder)


def kill(tamis, count, seed):
    from fetch import run
    planet, folder, problems, killed, chance = (Planet(KILL_FEEDS, 5, 50, latency=KILL_LATENCY), pathlib.Path(tempfile.mkdtemp()), [], 0,
                                                random.Random(seed))
    try:
        (folder / "tamis.yaml").write_text(configuration(planet.urls, KILL_AT_ONCE), encoding="utf-8")
        result = run(build_command(tamis), folder, 600)
        if result["code"] != 0:
            return [f"a build that nobody killed: exit code {result['code']}: {result['said'][-300:]}"]
        expected = site_of(folder)
        length = {"build": result["seconds"], "fetch": KILL_FEEDS * KILL_LATENCY / KILL_AT_ONCE}
        print(f"undisturbed: {result['seconds']:.1f} s, {len(expected)} files", flush=True)
        for number in range(count):
            kind = ("build", "fetch")[number % 2]
            kills, found = kill_trial(tamis, planet, chance, kind, length, expected)
            killed += kills
            problems += [f"{number}: {kind}: {problem}" for problem in found]
        print(f"{count} runs, {killed} kills: {len(problems)} deviations")
        return problems
    finally:
        planet.stop()
        shutil.rmtree(folder)
