#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service beside Python's servers: requests a second and processor time a request, in interleaved pairs, here and now.

    serving.py [--bin FOLDER] [--pairs N] [--seconds S] [--models softmax,mlp] [--clients N]

Peers are Debian's python3-torch, uvicorn (uvloop, httptools; bare ASGI with batches: "tuned") and FastAPI with JSON and a
process per core ("usual"). wrk asks in a closed loop; the processor time is that of the server's processes alone, by
/proc. Ours has two replicas of one thread and takes the binary tensor extension. Exit code 77: something is missing.
"""
import argparse
import json
import os
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

PYTHON = os.environ.get("PYTHON", "/usr/bin/python3")
PEERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers")
HIDDEN = {"softmax": [], "mlp": [512, 512]}
TICK = os.sysconf("SC_CLK_TCK")
NUMBERS = [((i * 37) % 100) / 50 - 1 for i in range(784)]


def processor_seconds(pids):
    total = 0
    for pid in pids:
        try:
            fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        except OSError:
            pass
    return total / TICK


def children(pid):
    found = [pid]
    for each in found:
        try:
            for task in os.listdir("/proc/%d/task" % each):
                found += [int(c) for c in open("/proc/%d/task/%s/children" % (each, task)).read().split()]
        except OSError:
            pass
    return found


def lua(folder, name, path, headers, body):
    """A wrk script that sends one request again and again."""
    binary = "".join("\\x%02x" % b for b in body)
    text = 'wrk.method = "POST"\nwrk.path = "%s"\nwrk.body = "%s"\n' % (path, binary)
    text += "".join('wrk.headers["%s"] = "%s"\n' % pair for pair in headers.items())
    file = os.path.join(folder, name + ".lua")
    open(file, "w").write(text)
    return file


def wrk(url, script, seconds, clients):
    out = subprocess.run(["wrk", "-t1", "-c%d" % clients, "-d%ds" % seconds, "--latency", "-s", script, url],
                         capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit("requests failed:\n" + out)
    lines = out.splitlines()
    count = next(int(l.split()[0]) for l in lines if "requests in" in l)
    rate = next(float(l.split()[1]) for l in lines if l.startswith("Requests/sec"))
    p99 = next(l.split()[1] for l in lines if l.strip().startswith("99%"))
    return count, rate, p99


class Ours:
    def __init__(self, args, folder, model):
        self.ctl, self.workspace, self.name = os.path.join(args.bin, "trainyardctl"), folder, model
        self.env = dict(os.environ, TRAINYARD_BIN=args.bin)
        run = {"version": 1, "name": model, "model": {"name": "mlp", "params": {"hidden": HIDDEN[model]}},
               "dataset": {"name": "glyphs", "params": {"samples": 2000}}, "epochs": 1, "scaling": {"workers": 1}}
        file = os.path.join(folder, model + ".json")
        json.dump(run, open(file, "w"))
        self.call("run", file)
        self.script = os.path.join(folder, model + ".pt")
        self.call("export", model, "--format", "torchscript", "--out", self.script)

    def call(self, *words):
        done = subprocess.run([self.ctl, *words, "--workspace", self.workspace], env=self.env, capture_output=True,
                              text=True)
        if done.returncode:
            sys.exit("trainyardctl %s: %s" % (" ".join(words), done.stderr))
        return done.stdout

    def start(self, folder):
        status = json.loads(self.call("serve", self.name, "--replicas", "2", "--threads", "1", "--detach", "--json"))
        self.url, signature = status["url"], status["signatures"][0]
        head = json.dumps({"inputs": [{"name": signature["inputs"][0]["name"], "datatype": "FP32",
                                       "shape": [1, 1, 28, 28], "parameters": {"binary_data_size": 4 * 784}}],
                           "parameters": {"binary_data_output": True}}).encode()
        token = self.call("serve", "token", self.name).strip()
        self.lua = lua(folder, "ours", "/v2/models/%s/infer" % signature["name"],
                       {"Authorization": "Bearer " + token, "Content-Type": "application/octet-stream",
                        "Inference-Header-Content-Length": str(len(head))},
                       head + struct.pack("784f", *NUMBERS))

    def pids(self):
        status = json.loads(self.call("serve", "status", self.name, "--json"))
        return [status["pid"]] + [r["pid"] for r in status["replicas"]]

    def stop(self):
        self.call("serve", "stop", self.name)


class Peer:
    def __init__(self, kind, script, port):
        self.kind, self.script, self.port, self.url = kind, script, port, "http://127.0.0.1:%d" % port

    def start(self, folder):
        if self.kind == "tuned":
            words = [PYTHON, os.path.join(PEERS, "serve_bare.py"), self.script, str(self.port)]
            self.lua = lua(folder, "tuned", "/", {}, struct.pack("784f", *NUMBERS))
        else:
            words = [PYTHON, "-m", "uvicorn", "--app-dir", PEERS, "serve_fastapi:app", "--port", str(self.port),
                     "--workers", "2", "--no-access-log", "--log-level", "error"]
            self.lua = lua(folder, "usual", "/predict", {"Content-Type": "application/json"},
                           json.dumps({"data": NUMBERS}).encode())
        # A thread of a server's pool would otherwise have OpenMP threads of its own, whatever torch was told elsewhere.
        env = dict(os.environ, MODEL=self.script, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        self.process = subprocess.Popen(words, env=env, start_new_session=True)
        for _ in range(600):
            try:
                wrk(self.url, self.lua, 1, 2)
                return
            except (subprocess.CalledProcessError, SystemExit, StopIteration):
                time.sleep(0.1)
        sys.exit("the %s peer does not answer" % self.kind)

    def pids(self):
        return children(self.process.pid)

    def stop(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def measure(server, args, folder):
    server.start(folder)
    try:
        wrk(server.url, server.lua, 1, args.clients)
        before = processor_seconds(server.pids())
        count, rate, p99 = wrk(server.url, server.lua, args.seconds, args.clients)
        if not count:
            sys.exit("no request was answered: give more --seconds, or wait until the machine is idle")
        return rate, 1e6 * (processor_seconds(server.pids()) - before) / count, p99
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.environ.get("TRAINYARD_BIN", "build/bin"))
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--models", default="softmax,mlp")
    args = parser.parse_args()
    args.bin = os.path.abspath(args.bin)
    probe = subprocess.run([PYTHON, "-c", "import uvicorn, uvloop, httptools, fastapi, torch"], capture_output=True)
    if shutil.which("wrk") is None or probe.returncode:
        print("needs wrk, uvicorn with uvloop and httptools, fastapi and python3-torch")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="serving") as folder:
        for model in args.models.split(","):
            ours = Ours(args, folder, model)
            peers = [Peer("tuned", ours.script, 18761), Peer("usual", ours.script, 18762)]
            found = {"ours": [], "tuned": [], "usual": []}
            for _ in range(args.pairs):
                for name, server in [("ours", ours), ("tuned", peers[0]), ("usual", peers[1])]:
                    found[name].append(measure(server, args, folder))
            for name, all in found.items():
                rates, costs = [f[0] for f in all], [f[1] for f in all]
                print("%-8s %-6s %8.0f a second (%.0f to %.0f)  %7.1f µs of processor a request (%.1f to %.1f)  p99 %s"
                      % (model, name, statistics.median(rates), min(rates), max(rates), statistics.median(costs),
                         min(costs), max(costs), all[-1][2]), flush=True)
            for name in ["tuned", "usual"]:
                ratios = [p[1] / o[1] for o, p in zip(found["ours"], found[name])]
                print("%-8s processor time, %s ÷ ours: %.2f (%.2f to %.2f)"
                      % (model, name, statistics.median(ratios), min(ratios), max(ratios)), flush=True)


main()
