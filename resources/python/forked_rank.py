# SPDX-License-Identifier: GPL-3.0-or-later
"""A rank that a fork server has forked: how it becomes the user's script, and how it ends. This text stands before that
of fork_server.py, and both are one program: engine/run/program/fork/FORK_SERVER.md. Python 3.7 or newer; nothing but
the standard library.
"""
import atexit
import ctypes
import gc
import os
import signal
import sys
import threading
import time
import types

LATE_SECONDS = 10  # for a script to set variables that only count before an import
# Blocked from the fork until the rank takes them as a program does: one that comes so early is not lost.
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

libc = ctypes.CDLL(None, use_errno=True)


def threads():
    return len(os.listdir("/proc/self/task"))


class Shown:
    """The memory that /proc shows as command line and environment, of which this process was given plenty."""

    def __init__(self):
        with open("/proc/self/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        # Numbers 48 to 51 of proc(5); the first one here is number 3.
        self.words, self.words_end, self.variables, self.variables_end = (int(each) for each in fields[45:49])

    def write_words(self, words):
        text = b"\0".join(os.fsencode(each) for each in words) + b"\0"
        room = self.words_end - self.words
        if 0 < room:
            ctypes.memmove(self.words, text[:room - 1].ljust(room, b"\0"), room)

    def write_mark(self, mark):
        """In the place of the variable ROOM, which only the pages of /proc have: no getenv() finds it any more."""
        room = ctypes.string_at(self.variables, self.variables_end - self.variables)
        at = (b"\0" + room).find(b"\0TRAINYARD_FORK_ROOM=")
        if at < 0:
            return
        size = room.index(b"\0", at) - at
        if len(mark) <= size:
            ctypes.memmove(self.variables + at, mark.ljust(size, b"\0"), size)


def without_own_frames(trace):
    """A traceback as a new interpreter would print it."""
    own = without_own_frames.__code__.co_filename
    while trace is not None and trace.tb_frame.f_code.co_filename == own:
        trace = trace.tb_next
    at = trace
    while at is not None:
        while at.tb_next is not None and at.tb_next.tb_frame.f_code.co_filename == own:
            at.tb_next = at.tb_next.tb_next
        at = at.tb_next
    return trace


def strip(error):
    """The same of an exception and of those that led to it."""
    seen = []
    while error is not None and error not in seen and len(seen) < 100:
        error.__traceback__ = without_own_frames(error.__traceback__)
        seen.append(error)
        error = error.__cause__ or error.__context__


def compiled(text):
    """The text of `-c`, as the interpreter compiles it: Python 3.14 takes the indentation off first, and from 3.13 on
    tracebacks show its lines."""
    if sys.version_info >= (3, 14) and text.lstrip("\n")[:1].isspace():
        import textwrap

        text = textwrap.dedent(text)
    code = compile(text, "<string>", "exec", dont_inherit=True)
    if sys.version_info >= (3, 13):
        import linecache

        if hasattr(linecache, "_register_code"):
            by_code = hasattr(linecache, "_interactive_cache")  # Python 3.13.0 keeps them by name
            linecache._register_code(code if by_code else "<string>", text, "<string>")
    return code


class Rank:
    def __init__(self, request, place, printed, notes, shown, at_start, preloaded):
        self.request, self.place, self.notes, self.preloaded = request, place, notes, preloaded
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        os.close(printed)
        shown.write_words(request.words)
        environment = dict(request.environment)
        for name, value in at_start.items():
            environment.setdefault(name, value)
        os.environ.clear()
        os.environ.update(environment)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def refresh(self):
        """What a new interpreter would have drawn, read or kept for itself."""
        time.tzset()
        modules = sys.modules
        if "numpy.random" in modules:
            modules["numpy.random"].seed()
        if "tempfile" in modules:
            modules["tempfile"].tempdir = None
        if "multiprocessing.process" in modules:
            process = modules["multiprocessing.process"]
            process.current_process().authkey = os.urandom(32)
            process.ORIGINAL_DIR = os.getcwd()
        self.set_blas_threads()
        import faulthandler

        faulthandler.register(self.request.stacks, file=2, all_threads=True)

    def set_blas_threads(self):
        """OpenBLAS was held to one thread for the fork."""
        environment = os.environ
        wanted = 0
        for name in ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"):
            digits = environment.get(name, "").partition(",")[0].strip()
            if digits.isdigit() and int(digits) > 0:
                wanted = int(digits)
                break
        wanted = wanted or len(os.sched_getaffinity(0))
        if wanted == 1:
            return
        with open("/proc/self/maps") as file:
            paths = {line.split(None, 5)[5].strip() for line in file if "openblas" in line and len(line.split()) > 5}
        for path in paths:
            try:
                library = ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
            except OSError:
                continue
            for prefix in ("openblas", "scipy_openblas"):
                for suffix in ("", "64_"):
                    function = getattr(library, prefix + "_set_num_threads" + suffix, None)
                    if function is not None:
                        function(ctypes.c_int(wanted))

    def unfit(self, why):
        text = why.encode("utf-8", "replace")
        self.notes[:len(text)] = text
        os._exit(127)

    def watch_variables(self):
        """A script may set a variable that counts only before an import which has happened here long ago."""
        import builtins

        heavy = {"torch"} if "torch" in self.preloaded else {each.partition(".")[0] for each in self.preloaded}
        until = time.monotonic() + LATE_SECONDS
        real_import, real_put, real_unset = builtins.__import__, os.putenv, os.unsetenv

        def restore():
            builtins.__import__ = real_import
            os.putenv, os.unsetenv = real_put, real_unset
            if sys.version_info < (3, 9):
                os.environ.putenv, os.environ.unsetenv = real_put, real_unset

        def look(name, value):
            text = os.fsdecode(name)
            if time.monotonic() > until:
                restore()
            elif self.request.is_early(text) and os.environ.get(text) != value:
                self.unfit("it sets %s, which counts only before an import" % text[:200])

        def put(name, value):
            look(name, os.fsdecode(value))
            return real_put(name, value)

        def unset(name):
            look(name, None)
            return real_unset(name)

        def first_import(name, *rest, **more):
            if name.partition(".")[0] in heavy:
                restore()
            return real_import(name, *rest, **more)

        builtins.__import__, os.putenv, os.unsetenv = first_import, put, unset
        if sys.version_info < (3, 9):
            os.environ.putenv, os.environ.unsetenv = put, unset

    def run(self):
        code = 1
        main = types.ModuleType("__main__")
        main.__builtins__ = sys.modules["builtins"]
        if "__annotations__" in sys.modules["__main__"].__dict__:  # until Python 3.13
            main.__dict__.setdefault("__annotations__", {})
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING_SIGNALS)
            self.refresh()
            sys.modules["__main__"] = main
            if hasattr(sys, "orig_argv"):
                sys.orig_argv[:] = self.request.words
            if not getattr(sys.flags, "safe_path", False):
                sys.path.insert(0, "" if self.request.words[1] == "-c" else self.place)
            self.watch_variables()
            code = self.execute(main)
        except BaseException as error:
            code = self.code_of(error)
        self.leave(main, code)

    def execute(self, main):
        words = self.request.words
        if words[1] == "-c":
            sys.argv[:] = ["-c"] + words[3:]
            exec(compiled(words[2]), main.__dict__)
            return 0
        if words[1] == "-m":
            import runpy

            sys.argv[:] = ["-m"] + words[3:]
            runpy._run_module_as_main(words[2])
            return 0
        sys.argv[:] = words[1:]
        script = words[1]
        file = script if sys.version_info < (3, 9) else os.path.abspath(script)
        from importlib.machinery import SourceFileLoader

        main.__file__, main.__cached__, main.__loader__ = file, None, SourceFileLoader("__main__", file)
        with open(script, "rb") as opened:
            source = opened.read()
        if b"\0" in source:
            self.unfit("%s is no text" % script[:3000])
        exec(compile(source, file, "exec", dont_inherit=True), main.__dict__)
        return 0

    def code_of(self, error):
        """As the interpreter ends by an exception."""
        if isinstance(error, SystemExit):
            if error.code is None:
                return 0
            if isinstance(error.code, int):
                return error.code & 0xff
            print(error.code, file=sys.stderr)
            return 1
        strip(error)
        try:
            sys.excepthook(type(error), error, error.__traceback__)
        except BaseException:
            sys.__excepthook__(*sys.exc_info())
        if isinstance(error, KeyboardInterrupt):
            return -signal.SIGINT
        return 1

    def leave(self, main, code):
        """What the end of an interpreter does for the user: threads, atexit, files that are still open. Unloading
        modules and libraries is left to the kernel."""
        try:
            threading._shutdown()
        except BaseException:
            sys.excepthook(*sys.exc_info())
        try:
            atexit._run_exitfuncs()
        except BaseException:
            pass  # it has been printed
        self.close_files(main)
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None and not getattr(stream, "closed", False):
                    stream.flush()
            except BaseException:
                code = code or (120 if stream is sys.stdout else 0)
        libc.fflush(None)
        if code == -signal.SIGINT:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        os._exit(code & 0xff)

    @staticmethod
    def close_files(main):
        import io

        try:
            if threads() == 1 or threading.active_count() == 1:
                # As the interpreter does it; threads that go on could still need them.
                names = [each for each in main.__dict__ if each != "__builtins__"]
                for name in sorted(names, key=lambda each: not each.startswith("_")):
                    main.__dict__[name] = None
                gc.collect()
            for each in gc.get_objects():
                if issubclass(type(each), io.IOBase) and not issubclass(type(each), io.RawIOBase):
                    try:
                        each.flush()
                    except BaseException:
                        pass
        except BaseException:
            pass
