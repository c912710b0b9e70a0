# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes as JSON what a script can see of the process that it runs in: looks.py FILE [HOW] [more words]."""
import atexit
import json
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
import warnings


def double(value):
    return 2 * value


def looks():
    main = sys.modules["__main__"]
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    return {
        "words": sys.argv, "orig words": list(getattr(sys, "orig_argv", [])), "path": sys.path, "name": __name__,
        "file": __file__, "folder": os.getcwd(), "executable": sys.executable, "prefix": sys.prefix,
        "is main": main.__dict__ is globals(), "package": __package__, "spec": str(main.__spec__),
        "names": sorted(name for name in globals() if name.startswith("__")),
        "loader": type(__loader__).__name__, "source": bool(main.__loader__.get_source("__main__")),
        "flags": str(sys.flags), "hooks": [sys.excepthook is sys.__excepthook__, sys.getrecursionlimit()],
        "environment": dict(os.environ), "umask": os.umask(0o22),
        "group": os.getpgid(0) == os.getpid(), "threads": len(os.listdir("/proc/self/task")),
        "signals": {str(number): str(signal.getsignal(number)) for number in range(1, 32)}, "masked": sorted(masked),
        "streams": [[each.encoding, each.errors, each.line_buffering, getattr(each, "write_through", None),
                     each.isatty(), each.fileno(), each.name, each.mode]
                    for each in (sys.stdin, sys.stdout, sys.stderr)],
        "descriptors": [os.readlink("/proc/self/fd/%d" % number) for number in range(3)],
        "imports": [getattr(__import__("builtins").__import__, "__name__", ""), os.putenv.__name__],
        "main thread": threading.current_thread() is threading.main_thread(), "filters": str(warnings.filters),
        "command line": open("/proc/self/cmdline").read().rstrip("\0").split("\0"),
        "limits": open("/proc/self/limits").read(), "comm": open("/proc/self/comm").read(),
        "cores": sorted(os.sched_getaffinity(0)),
    }


def foreign():
    """Descriptors that are open but for the file that ctypes' own library maps its code from."""
    targets = []
    for number in os.listdir("/proc/self/fd"):
        try:
            targets.append(os.path.basename(os.readlink("/proc/self/fd/" + number)))
        except OSError:
            pass  # that of the listing itself
    return [each for each in targets if not each.startswith("libffi.so")]


if __name__ == "__main__":
    how = sys.argv[2] if len(sys.argv) > 2 else "looks"
    if how == "variable":
        os.environ["OMP_NUM_THREADS"] = "3"
    import decimal  # what a fork server has imported for this test

    told = looks() if how == "looks" else {}
    if how == "random":
        told["drawn"] = random.random()
        told["open"] = len(foreign())
        told["key"] = bytes(multiprocessing.current_process().authkey).hex()
    if how == "workers":
        for kind in ("fork", "spawn", "forkserver"):
            with multiprocessing.get_context(kind).Pool(2) as pool:
                told[kind] = pool.map(double, [1, 2, 3])
    unclosed = open(sys.argv[1], "w")
    unclosed.write(json.dumps(told, indent=1, sort_keys=True))
    unclosed.flush()
    unclosed = open(sys.argv[1] + ".unclosed", "w")
    unclosed.write("never closed")
    atexit.register(lambda: open(sys.argv[1] + ".atexit", "w").close())
    thread = threading.Thread(target=lambda: (threading.Event().wait(0.05), open(sys.argv[1] + ".thread", "w").close()))
    thread.start()
    if how == "sleep":
        time.sleep(60)
    if how == "raise":
        raise ValueError("the loss is wrong")
    if how == "import":
        import a_module_that_is_not_there  # noqa
    if how == "exit":
        sys.exit(7)
    if how == "text":
        sys.exit("the words of its end")
    if how == "closed":
        sys.stdout.close()
    if how == "interrupt":
        raise KeyboardInterrupt
    if how == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
