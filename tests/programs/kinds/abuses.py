# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports steps 1 to 3, then does to its metrics or its output what the first word says, then reports 4 to 6."""
import json
import os
import sys
import time

how, path = sys.argv[1], os.environ["TRAINYARD_METRICS"]


def append(data):
    with open(path, "ab") as file:
        file.write(data)


def report(*steps):
    for step in steps:
        append(json.dumps({"step": step, "train/loss": 1 / step}).encode() + b"\n")


def flood(seconds, piece):
    end = time.time() + seconds
    while time.time() < end:
        os.write(1, piece)


report(1, 2, 3)
time.sleep(0.2)
if how == "half":
    append(b'{"step": 3, "train/acc": 0.')
    time.sleep(0.2)
    append(b'5}\n')
elif how == "long":
    append(b'{"text": "' + b"x" * (17 << 20) + b'"}\n')
elif how == "names":
    append(json.dumps({"step": 3, **{f"n{at}": 1 for at in range(100_000)}}).encode() + b"\n")
elif how == "more names":
    for part in range(20):
        append(json.dumps({"step": 3, **{f"n{part}/{at}": 1 for at in range(5_000)}}).encode() + b"\n")
elif how == "binary":
    append(bytes(range(256)) * 1000 + b"\n")
elif how == "text step":
    append(b'{"step": "4.0", "train/loss": 0.25}\n{"step": "four", "train/loss": 9}\n')
elif how == "no step":
    append(b'{"train/acc": 0.5}\n')
elif how == "nan":
    append(b'{"step": 3, "train/acc": NaN, "inf": -Infinity, "text": "nan"}\n')
elif how == "removed":
    os.remove(path)
elif how == "truncated":
    os.truncate(path, 0)
elif how in ("link", "fifo", "folder"):
    os.remove(path)
    if how == "link":
        os.symlink("/etc/passwd", path)
    elif how == "fifo":
        os.mkfifo(path)
    else:
        os.mkdir(path)
    time.sleep(0.3)
    sys.exit(0)
elif how == "fast":  # 30 MB at once
    for _ in range(120):
        os.write(1, b"step 3 loss: 0.125 of a line that is printed again and again\n" * 4000)
elif how == "no newline":
    flood(0.3, b"x" * 100_000)
elif how == "NUL":
    flood(0.3, b"\0" * 100_000)
elif how == "carriage returns":
    flood(0.3, b"\r 12% loss 3.5" * 5_000)
elif how == "escapes":
    os.write(1, b"\x1b[31mstep 7\x1b[0m \x1b]0;title\x07loss 0.5\x1b[2J\x1b[H\n" * 3)
report(4, 5, 6)
time.sleep(0.2)
