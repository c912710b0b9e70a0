# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs scripts with torch and numpy imported already, which take seconds: each in a process of its own that is forked.

    with_torch.py < lines of JSON, [SCRIPT, ARGUMENT...]

Prints "ready", and then a line of JSON for each: [exit code, output, errors].
"""
import json
import os
import runpy
import sys
import tempfile
import traceback

import numpy  # noqa: F401
import torch  # noqa: F401


def become(words, out, err):
    """What `python3 SCRIPT ARGUMENT...` does; its exit code."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    sys.argv = words
    sys.path[0] = os.path.dirname(words[0])
    try:
        runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def run(words):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            code = become(words, out.fileno(), err.fileno())
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        for file in (out, err):
            file.seek(0)
        return [code, out.read().decode(), err.read().decode()]


print("ready", flush=True)
for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
