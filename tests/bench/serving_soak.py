#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service under load, kills and swaps, and every answer compared with what it must be.

    serving_soak.py [--bin FOLDER] [--seconds 3600] [--share 0.8] [--rate N] [--kill 20] [--swap 60] [--seed 1]

Two checkpoints of one run are served by turns. Requests are sent at a fixed rate, whatever comes back (open loop), with
--share of what `trainyardctl serve bench` says the service bears; latencies are counted from when a request was due.
What each row must give is what `trainyardctl predict` prints for the version that the answer names. Every --kill
seconds a replica gets SIGKILL, every --swap seconds the other checkpoint takes over. Exit code 1: an answer is lost,
wrong or doubled, or has another status than 200, or a process is left. A line a minute says how it goes.
"""
import argparse
import asyncio
import collections
import json
import math
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

ROWS, TOLERANCE, LOST_SECONDS = 48, 2e-5, 30


class Program:
    """trainyardctl in the soak's own workspace."""

    def __init__(self, options, folder):
        self.ctl, self.folder = os.path.join(options.bin, "trainyardctl"), folder
        self.environment = dict(os.environ, TRAINYARD_WORKSPACE=os.path.join(folder, "ws"))

    def call(self, *words):
        done = subprocess.run([self.ctl, *words], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True)
        if done.returncode != 0:
            sys.exit("trainyardctl %s: %s" % (" ".join(words), done.stderr))
        return done.stdout

    async def later(self, *words):
        """Beside the load; the exit code and what it said."""
        process = await asyncio.create_subprocess_exec(self.ctl, *words, env=self.environment,
                                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            said, _ = await process.communicate()
        except asyncio.CancelledError:  # the load is over: its end needs the loop, too
            await process.wait()
            raise
        return process.returncode, said.decode()

    def train(self):
        file = os.path.join(self.folder, "soak.json")
        with open(file, "w") as out:
            json.dump({"version": 1, "name": "soak", "dataset": "spirals", "steps": 60, "batch": {"global": 64},
                       "model": {"name": "mlp", "params": {"hidden": [1024, 1024]}},
                       "optimizer": {"name": "adam", "lr": 0.003}, "scaling": {"workers": 1, "device": "cpu"},
                       "checkpoint": {"everySteps": 20, "everyEpochs": 0, "keep": 5}}, out)
        self.call("run", file)
        steps = sorted(c["step"] for c in json.loads(self.call("show", "soak", "--json"))["checkpoints"])
        return steps[0], steps[-1]

    def expected(self, step, rows):
        """Class probabilities of each row, by the terminal program."""
        words = ["predict", "soak@%d" % step, "--top", "1000", "--json"]
        for x, y in rows:
            words += ["--row", "%r,%r" % (x, y)]
        answers = json.loads(self.call(*words))["inputs"]
        found = []
        for each in answers:
            row = {p.get("class", p.get("index")): p["probability"] for p in each["predictions"]}
            found.append([row[index] for index in sorted(row)])
        return found


class Tally:
    def __init__(self):
        self.right = self.wrong = self.doubled = self.lost = 0
        self.codes, self.versions, self.first, self.latencies, self.recent = {}, {}, "", [0] * 4000, []

    def late(self, seconds):
        """Buckets of 1 % from 10 µs: bounded, however long it lasts."""
        index = int(math.log(max(seconds, 1e-5) / 1e-5) / math.log(1.01))
        self.latencies[min(index, len(self.latencies) - 1)] += 1
        self.recent.append(seconds)

    def quantile(self, share):
        left = share * sum(self.latencies)
        for index, count in enumerate(self.latencies):
            left -= count
            if left <= 0:
                return 1e-5 * 1.01 ** (index + 1)
        return 0.0

    def note(self, text):
        self.first = self.first or text


class Connection(asyncio.Protocol):
    """One request at a time, as HTTP/1.1 has it; what comes unasked is a doubled answer."""

    def __init__(self, load):
        self.load, self.bytes, self.asked = load, b"", None  # (id, row, due)

    def connection_made(self, transport):
        self.transport = transport

    def send(self, number, row, due):
        self.asked = (number, row, due)
        self.transport.write(self.load.request(number, row))

    def data_received(self, data):
        self.bytes += data
        end = self.bytes.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self.bytes[:end].decode("latin-1").split("\r\n")
        fields = {}
        for line in head[1:]:
            key, _, value = line.partition(":")
            fields[key.lower()] = value.strip()
        size = int(fields.get("content-length", "0"))
        if len(self.bytes) < end + 4 + size:
            return
        body, self.bytes = self.bytes[end + 4:end + 4 + size], self.bytes[end + 4 + size:]
        if self.asked is None:
            self.load.tally.doubled += 1
            self.load.tally.note("an answer that nobody asked for: %r" % body[:200])
            return
        asked, self.asked = self.asked, None
        self.load.take(asked, int(head[0].split()[1]), fields, body)
        self.load.free(self)

    def connection_lost(self, why):
        if self.load.over:
            return
        if self.asked is not None:
            self.load.tally.lost += 1
            self.load.tally.note("a connection was closed before the answer: %s" % why)
        self.load.replace(self)


class Load:
    """The open loop and its judge."""

    def __init__(self, url, token, model, rows, expected):
        self.host, self.port = url.split("//")[1].rsplit(":", 1)
        self.token, self.path, self.rows, self.expected = token, "/v2/models/%s/infer" % model, rows, expected
        self.tally, self.idle, self.waiting, self.seen = Tally(), collections.deque(), collections.deque(), set()
        self.over, self.number, self.all, self.lasted = False, 0, set(), 0.0

    def request(self, number, row):
        head = json.dumps({"id": str(number), "parameters": {"binary_data_output": True},
                           "inputs": [{"name": "input", "datatype": "FP32", "shape": [1, 2],
                                       "parameters": {"binary_data_size": 8}}]}).encode()
        body = head + struct.pack("<2f", *self.rows[row])
        return ("POST %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\n"
                "Inference-Header-Content-Length: %d\r\nContent-Type: application/octet-stream\r\n"
                "Content-Length: %d\r\n\r\n"
                % (self.path, self.port, self.token, len(head), len(body))).encode() + body

    def take(self, asked, code, fields, body):
        number, row, due = asked
        tally = self.tally
        tally.late(time.monotonic() - due)
        tally.codes[code] = tally.codes.get(code, 0) + 1
        if code != 200:
            tally.note("%d: %r" % (code, body[:200]))
            return
        size = int(fields["inference-header-content-length"])
        head = json.loads(body[:size])
        version = fields["x-model-version"]
        if head["id"] != str(number) or number in self.seen:
            tally.doubled += 1
            tally.note("request %d was answered as %s" % (number, head["id"]))
            return
        self.seen.add(number)
        if len(self.seen) > 200000:  # bounded: numbers ascend, and nothing is older than the longest wait
            self.seen = {n for n in self.seen if n > number - 100000}
        logits = struct.unpack("<%df" % ((len(body) - size) // 4), body[size:])
        most = max(logits)
        parts = [math.exp(value - most) for value in logits]
        wanted = self.expected.get(version)
        good = wanted is not None and len(wanted[row]) == len(parts) and all(
            abs(part / sum(parts) - want) <= TOLERANCE for part, want in zip(parts, wanted[row]))
        tally.versions[version] = tally.versions.get(version, 0) + 1
        if good:
            tally.right += 1
        else:
            tally.wrong += 1
            tally.note("row %d of %s: %s is not %s" % (row, version, parts, wanted and wanted[row]))

    def free(self, connection):
        if self.waiting:
            connection.send(*self.waiting.popleft())
        else:
            self.idle.append(connection)

    def answered(self):
        return sum(self.tally.codes.values())

    async def connect(self, count):
        for _ in range(count):
            _, connection = await asyncio.get_running_loop().create_connection(
                lambda: Connection(self), self.host, int(self.port))
            self.all.add(connection)
            self.free(connection)

    def replace(self, connection):
        """The server closes what is idle for long."""
        self.all.discard(connection)
        if connection in self.idle:
            self.idle.remove(connection)
        self.opening = asyncio.ensure_future(self.connect(1))

    async def run(self, rate, seconds):
        begun = time.monotonic()
        while (now := time.monotonic()) < begun + seconds:
            while begun + self.number / rate <= now:
                due = begun + self.number / rate
                asked = (self.number, random.randrange(len(self.rows)), due)
                self.number += 1
                if self.idle:
                    self.idle.popleft().send(*asked)
                else:
                    self.waiting.append(asked)
            await asyncio.sleep(max(0.0, begun + self.number / rate - time.monotonic()))
        self.lasted = time.monotonic() - begun
        # Those that still wait for a connection are sent, too: beyond what the computer bears they are late, not lost.
        before, until = -1, 0.0
        while self.waiting or any(each.asked for each in self.all):
            if self.answered() != before:
                before, until = self.answered(), time.monotonic() + LOST_SECONDS
            elif time.monotonic() > until:
                break
            await asyncio.sleep(0.05)
        self.over = True
        self.tally.lost += len(self.waiting) + sum(each.asked is not None for each in self.all)
        for each in self.all:
            each.transport.close()


def lives(pid):
    """Numbers are used again, and one that has ended may wait for its parent: only programs of Trainyard that run."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            name, fields = file.read().rsplit(")", 1)
            return name.split("(", 1)[1].startswith("trainyard") and fields.split()[0] not in "ZX"
    except OSError:
        return False


def resident(pid):
    try:
        with open("/proc/%d/status" % pid) as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))
    except (OSError, StopIteration):
        return 0.0


class Soak:
    def __init__(self, options, program):
        self.options, self.program = options, program
        self.kills = self.swaps = self.failed_swaps = 0
        self.pids, self.memory = set(), []

    def status(self):
        return json.loads(self.program.call("serve", "status", "soak", "--json"))

    def start(self):
        self.steps = self.program.train()
        rows = [(math.cos(i) * i / ROWS, math.sin(i) * i / ROWS) for i in range(ROWS)]
        self.rows = [struct.unpack("<2f", struct.pack("<2f", *row)) for row in rows]
        self.expected = {"soak@%d" % step: self.program.expected(step, self.rows) for step in self.steps}
        a, b = self.expected.values()
        differ = sum(max(abs(x - y) for x, y in zip(p, q)) > 100 * TOLERANCE for p, q in zip(a, b))
        if differ < ROWS * 0.9:
            sys.exit("the two checkpoints answer too much alike: %d of %d rows differ" % (differ, ROWS))
        self.program.call("serve", "soak@%d" % self.steps[0], "--name", "soak", "--replicas",
                          str(self.options.replicas), "--threads", "1", "--detach")
        first = self.status()
        self.url, self.server = first["url"], first["pid"]
        self.token = self.program.call("serve", "token", "soak").strip()
        self.rate = self.options.rate
        if self.rate <= 0:
            bench = json.loads(self.program.call("serve", "bench", "soak", "--seconds", "2", "--json"))
            self.rate = self.options.share * bench["best"]["rate"]
            print("it bears %.0f a second; the load is %.0f" % (bench["best"]["rate"], self.rate), flush=True)
        self.memory.append(resident(self.server))

    async def look(self):
        code, said = await self.program.later("serve", "status", "soak", "--json")
        if code != 0:
            return []
        replicas = [r for r in json.loads(said)["replicas"] if r["pid"] > 0]
        self.pids.update(r["pid"] for r in replicas)
        return replicas

    async def kill(self):
        while True:
            await asyncio.sleep(self.options.kill)
            serving = [r for r in await self.look() if r["state"] in ("idle", "busy")]
            if serving:
                os.kill(random.choice(serving)["pid"], signal.SIGKILL)
                self.kills += 1

    async def swap(self):
        turn = 0
        while True:
            await asyncio.sleep(self.options.swap)
            turn += 1
            code, said = await self.program.later("serve", "swap", "soak", "soak@%d" % self.steps[turn % 2])
            self.swaps += code == 0
            self.failed_swaps += code != 0
            if code != 0:
                self.load.tally.note("a swap failed: " + said.strip())

    async def tell(self):
        begun, before = time.monotonic(), 0
        while True:
            await asyncio.sleep(60)
            await self.look()
            tally = self.load.tally
            recent, tally.recent = sorted(tally.recent), []
            self.memory.append(resident(self.server))
            p50, p99 = (recent[int(len(recent) * share)] * 1e3 if recent else 0 for share in (0.5, 0.99))
            print("%5.0f s  %8d right  %6.0f a second  p50 %.2f ms  p99 %.2f ms  wrong %d lost %d doubled %d  kills %d "
                  "swaps %d  server %.1f MB" % (time.monotonic() - begun, tally.right, (tally.right - before) / 60, p50,
                                                p99, tally.wrong, tally.lost, tally.doubled, self.kills, self.swaps,
                                                self.memory[-1]), flush=True)
            before = tally.right

    async def soak(self):
        self.load = Load(self.url, self.token, "soak", self.rows, self.expected)
        await self.load.connect(self.options.connections)
        await self.look()
        beside = [asyncio.ensure_future(each) for each in (self.kill(), self.swap(), self.tell())]
        await self.load.run(self.rate, self.options.seconds)
        for task in beside:
            if task.done() and task.exception():
                self.load.tally.note("%r" % task.exception())
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)

    def end(self):
        tally = self.load.tally
        self.memory.append(resident(self.server))
        alive_before = os.path.exists("/proc/%d" % self.server)
        last = json.loads(self.program.call("serve", "stop", "soak", "--json"))
        time.sleep(0.2)
        left = [pid for pid in self.pids | {self.server} if lives(pid)]
        others = {code: count for code, count in tally.codes.items() if code != 200}
        print("%d sent at %.0f a second for %.0f s: %d right, %d wrong, %d lost, %d doubled, others %s, versions %s"
              % (self.load.number, self.rate, self.load.lasted, tally.right, tally.wrong, tally.lost, tally.doubled,
                 others or "none", tally.versions))
        print("p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms (from when each was due)"
              % tuple(tally.quantile(share) * 1e3 for share in (0.5, 0.99, 0.999)))
        print("%d replicas killed, %d swaps, %d failed; server %.1f MB at the start, %.1f at the end, %.1f at most; "
              "%d processes left" % (self.kills, self.swaps, self.failed_swaps, self.memory[0], self.memory[-1],
                                     max(self.memory), max(last["processes_left"], len(left))))
        if tally.first:
            print("first: " + tally.first)
        bad = tally.wrong + tally.lost + tally.doubled + sum(others.values()) + self.failed_swaps + len(left)
        return 0 if bad == 0 and tally.right == self.load.number and alive_before and last["processes_left"] == 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.environ.get("TRAINYARD_BIN", "build/bin"))
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--share", type=float, default=0.8)
    parser.add_argument("--rate", type=float, default=0, help="requests a second, instead of a share of what it bears")
    parser.add_argument("--kill", type=float, default=20)
    parser.add_argument("--swap", type=float, default=60)
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    random.seed(options.seed)
    with tempfile.TemporaryDirectory(prefix="serving-soak") as folder:
        soak = Soak(options, Program(options, folder))
        try:
            soak.start()
            asyncio.run(soak.soak())
        except BaseException:
            subprocess.run([soak.program.ctl, "serve", "stop", "soak"], env=soak.program.environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            raise
        sys.exit(soak.end())


main()
