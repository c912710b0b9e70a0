# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports modules once and forks the ranks of program runs: engine/run/program/fork/FORK_SERVER.md says why and how.

Started as `python -c LOADER SOCKET MODULES ROOM` with a listening socket as descriptor 3 and the texts of forked_rank.py
and this file as 4. Python 3.7 or newer; nothing but the standard library.
"""
import array
import ctypes
import gc
import importlib
import os
import select
import signal
import socket
import sys
import time

IDLE_SECONDS = 600  # without a rank or a request
LOOK_MS = 30000  # from one look whether somebody can still reach this server to the next
REQUEST_SECONDS = 10
MOST = 96 << 10  # bytes of a request, as engine/run/program/fork/fork_messages.h has it
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4


class Unfit(Exception):
    """Why a rank is to be started as a program instead."""


def prctl(option, value):
    libc.prctl(option, value, 0, 0, 0)


# --- before the first fork, and before each one ---


def look_before_fork(known):
    """What a process must not have when it is forked: more than one thread, descriptors of libraries."""
    if threads() != 1:
        raise Unfit("%d threads run after the import" % threads())
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink("/proc/self/fd/" + name)
        except OSError:
            continue  # that of the listing itself
        if os.path.basename(target).startswith("libffi.so"):
            continue  # ctypes' own library keeps its file open to map its code from; a newer one does so at the import
        if int(name) not in known and target not in ("/dev/null", "/dev/urandom", "/dev/random"):
            raise Unfit("%s is open after the import" % target)


def look_for_devices():
    with open("/proc/self/maps", "rb") as file:
        for line in file:
            if b" /dev/nvidia" in line or b" /dev/kfd" in line or b" /dev/dri/" in line:
                raise Unfit("a device is in use after the import")
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        raise Unfit("CUDA is in use after the import")


def installed_folders():
    """Where Python and its packages are installed: code elsewhere is the user's own."""
    import site
    import sysconfig

    folders = set(sysconfig.get_paths().values())
    folders.update(getattr(site, "getsitepackages", list)())
    if site.ENABLE_USER_SITE:
        folders.add(site.getusersitepackages())
    folders.update(each for each in sys.path if os.path.basename(each) in ("dist-packages", "site-packages"))
    return [each for each in folders if each]


def file_of(module):
    spec = getattr(module, "__spec__", None)
    file = getattr(module, "__file__", None) or (spec.origin if spec is not None and spec.has_location else None)
    return file if isinstance(file, str) and os.path.isabs(file) else None


def look_for_own_code(before):
    """A module of the user's own may be edited at any time, and an editable installation is one."""
    folders = installed_folders()
    folders = tuple({each + os.sep for each in folders} | {os.path.realpath(each) + os.sep for each in folders})
    for name, module in list(sys.modules.items()):
        file = file_of(module) if name not in before else None
        if file and not file.startswith(folders) and not os.path.realpath(file).startswith(folders):
            raise Unfit("%s of %s is not an installed package" % (name, file))


def identity(path):
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class Installed:
    """The interpreter, the folders of packages and the modules' own files, as they were when they were imported."""

    def __init__(self, names):
        paths = {sys.executable, *sys.path, *installed_folders()}
        paths.update(filter(None, (file_of(sys.modules.get(name)) for name in names)))
        self.was = {path: identity(path) for path in paths}

    def has_changed(self):
        return any(identity(path) != was for path, was in self.was.items())


# --- a request ---


class Request:
    """NUL after each: magic, signal for stacks, mark, the variables that count at an import (OMP_* and, not among them,
    -NAME), folder, number of words, the words, the environment. The words: interpreter, script, -m and
    module or -c and code, arguments."""

    def __init__(self, data):
        parts = data.split(b"\0")
        if len(data) > MOST or len(parts) < 8 or parts.pop() != b"" or parts[0] != b"trainyard fork 1":
            raise Unfit("the request is not one")
        try:
            self.stacks, count = int(parts[1]), int(parts[5])
        except ValueError:
            raise Unfit("the request has no numbers")
        if not 0 < self.stacks < signal.NSIG or not 2 <= count <= len(parts) - 6:
            raise Unfit("the request has wrong numbers")
        if parts[7] in (b"-m", b"-c") and count < 3:
            raise Unfit("the request names no module")
        self.mark = parts[2]
        self.early = [os.fsdecode(each) for each in parts[3].split(b",") if each]
        self.folder = os.fsdecode(parts[4])
        self.words = [os.fsdecode(each) for each in parts[6:6 + count]]
        self.environment = {}
        for each in parts[6 + count:]:
            name, equals, value = each.partition(b"=")
            if not name or not equals:
                raise Unfit("the request has a variable without a value")
            self.environment[os.fsdecode(name)] = os.fsdecode(value)

    def is_script(self):
        return self.words[1] not in ("-m", "-c")

    def is_early(self, name):
        """Whether a library reads the variable while it is imported."""
        return "-" + name not in self.early and any(
            each.endswith("*") and name.startswith(each[:-1]) for each in self.early)


def receive(connection):
    ready = select.poll()
    ready.register(connection, select.POLLIN)
    if not ready.poll(REQUEST_SECONDS * 1000):
        raise Unfit("no request came")
    data, extra, flags, _ = connection.recvmsg(MOST + 1, socket.CMSG_SPACE(4 * 4), socket.MSG_CMSG_CLOEXEC)
    descriptors = array.array("i")
    for level, kind, content in extra:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(content[:len(content) - len(content) % descriptors.itemsize])
    if not data:
        os._exit(0)  # whoever asked is gone
    if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC) or len(descriptors) != 2:
        raise Unfit("the request is cut, or came without its descriptors")
    return Request(data), descriptors[0], descriptors[1]


def look_for_shadows(folder):
    """A file of the user's own beside the script may bear the name of a module that is already imported here."""
    loaded = {name.partition(".")[0] for name in sys.modules}
    try:
        names = os.listdir(folder)
    except OSError as error:
        raise Unfit("%s: %s" % (folder, error.strerror))
    for name in names:
        stem = name.partition(".")[0]
        if stem in loaded and stem not in ("__main__", "") and (name.endswith((".py", ".so")) or name == stem):
            if name != stem or os.path.isfile(os.path.join(folder, name, "__init__.py")):
                raise Unfit("%s hides a module of that name" % os.path.join(folder, name))


# --- the holder: parent and subreaper of one rank ---


def children_of(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            return [int(each) for each in file.read().split()]
    except (OSError, ValueError):
        return []


class Holder:
    """Stands between a keeper and its rank: tells how the rank ends, and leaves nothing when the keeper is gone. It
    adopts what the rank leaves, and keeps the rank's number until the keeper has let go."""

    def __init__(self, connection, notes):
        self.connection, self.notes = connection, notes
        self.told = False
        self.rank = 0
        self.wake, write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.pipe = (self.wake, write)
        for number in ENDING_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        prctl(PR_SET_CHILD_SUBREAPER, 1)

    def leave_in_rank(self):
        signal.set_wakeup_fd(-1)
        for each in self.pipe:
            os.close(each)

    def say(self, text):
        try:
            self.connection.send(text.encode("utf-8", "replace")[:4000])
        except OSError:
            pass

    def reap(self):
        for child in children_of(os.getpid()):
            try:
                if child != self.rank:
                    os.waitpid(child, os.WNOHANG)
                elif not self.told:
                    self.look_at_rank()
            except ChildProcessError:
                pass

    def look_at_rank(self):
        end = os.waitid(os.P_PID, self.rank, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if end is None:
            return
        self.told = True
        why = self.notes[:].rstrip(b"\0").decode("utf-8", "replace")
        if why:
            self.say("unfit " + why)
        else:
            self.say("%s %d" % ("exit" if end.si_code == os.CLD_EXITED else "signal", end.si_status))

    def end_all(self):
        """Kills what is left, again and again until nothing is."""
        until = time.monotonic() + 5
        while time.monotonic() < until:
            left = [each for each in children_of(os.getpid()) if each != self.rank or not self.told]
            for pid in left:
                left.extend(children_of(pid))
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            if not left:
                return
            time.sleep(0.001)
            self.reap()

    def hold(self):
        ready = select.poll()
        ready.register(self.connection, select.POLLIN)
        ready.register(self.wake, select.POLLIN)
        while True:
            for descriptor, _ in ready.poll():
                if descriptor != self.wake:
                    self.end_all()
                    return
            try:
                os.read(self.wake, 4096)
            except OSError:
                pass
            self.reap()


def handle(listening, connection, shown, at_start, preloaded):
    """In the process that was forked for one connection."""
    import fcntl
    import mmap

    listening.close()
    os.setpgid(0, 0)
    try:
        request, printed, lifeline = receive(connection)
        os.chdir(request.folder)
        place = os.path.dirname(os.path.realpath(request.words[1])) if request.is_script() else os.getcwd()
        look_for_shadows(place)
        shown.write_mark(request.mark)
        notes = mmap.mmap(-1, 4096)
        holder = Holder(connection, notes)
        parent = os.getpid()
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)
        rank = os.fork()
        if rank == 0:
            try:
                os.setpgid(0, 0)
                prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
                if os.getppid() != parent:
                    os._exit(127)
                holder.leave_in_rank()
                connection.close()
                os.close(lifeline)
                Rank(request, place, printed, notes, shown, at_start, preloaded).run()
            finally:
                os._exit(127)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING_SIGNALS)
        os.close(printed)
        holder.rank = rank
        try:
            os.setpgid(rank, rank)  # both sides, so that it holds whichever runs first
        except OSError:
            pass
        # When the keeper is gone, the kernel itself kills the rank, whatever becomes of this process.
        fcntl.fcntl(lifeline, 10, signal.SIGKILL)  # F_SETSIG
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, rank)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC)
        holder.say("rank %d %d" % (rank, parent))
        holder.hold()
    except Unfit as why:
        connection.send(("unfit %s" % why).encode("utf-8", "replace")[:4000])
    except OSError as why:
        connection.send(("unfit %s" % why).encode("utf-8", "replace")[:4000])


# --- the server ---


def is_of_this_user(connection):
    credentials = array.array("i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return credentials[1] == os.geteuid()


def answer_all(waiting, listening, text):
    """To all who wait, those who have not been accepted yet among them."""
    listening.setblocking(False)
    try:
        while True:
            waiting.append(listening.accept()[0])
    except OSError:
        pass
    for connection in waiting:
        try:
            connection.settimeout(1)
            connection.recv(MOST + 1)  # what is not read would break the answer off
            connection.send(text)
        except OSError:
            pass


def touch(path):
    """The server that has been used longest ago is the first to go. False: somebody has removed its socket."""
    try:
        os.utime(path)
        return True
    except OSError:
        return False


def leave_socket(path, inode):
    """Nobody finds this server any more. Another one may listen there by now."""
    try:
        if os.stat(path).st_ino == inode:
            os.unlink(path)
    except OSError:
        pass


def serve(listening, path, modules, at_start):
    inode, before = os.stat(path).st_ino, set(sys.modules)
    known = {0, 1, 2, listening.fileno()}
    waiting = []
    try:
        for name in modules:
            try:
                importlib.import_module(name)
            except Exception as error:
                raise Unfit("%s cannot be imported: %s: %s" % (name, type(error).__name__, error))
        installed = Installed(modules)
        look_for_own_code(before)
        look_before_fork(known)
        look_for_devices()
        shown = Shown()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for holders
        gc.collect()
        gc.freeze()
        listening.listen(64)  # from here on the socket names this process
        ready = select.poll()
        ready.register(listening, select.POLLIN)
        used = time.monotonic()
        while True:
            if not ready.poll(LOOK_MS):
                now = time.monotonic()
                if children_of(os.getpid()):
                    used = now
                if now - used >= IDLE_SECONDS or not os.path.exists(path):
                    return leave_socket(path, inode)
                continue
            connection, _ = listening.accept()
            used = time.monotonic()
            if not is_of_this_user(connection):
                connection.close()
                continue
            waiting = [connection]
            look_before_fork(known | {connection.fileno()})
            if installed.has_changed() or not touch(path):
                leave_socket(path, inode)
                return answer_all(waiting, listening, b"gone")
            if os.fork() == 0:
                try:
                    handle(listening, connection, shown, at_start, modules)
                finally:
                    os._exit(0)
            waiting = []
            connection.close()
    except Unfit as why:
        leave_socket(path, inode)
        print(why, file=sys.stderr, flush=True)
        answer_all(waiting, listening, ("useless %s" % why).encode("utf-8", "replace")[:4000])


def variables_at_start():
    """Those that the interpreter has added to its environment, such as LC_CTYPE."""
    with open("/proc/self/environ", "rb") as file:
        given = {os.fsdecode(each.partition(b"=")[0]) for each in file.read().split(b"\0")}
    return {name: value for name, value in os.environ.items() if name not in given}


def main():
    os.set_inheritable(3, False)
    if not getattr(sys.flags, "safe_path", False) and sys.path and sys.path[0] == "":
        del sys.path[0]
    at_start = variables_at_start()
    listening = socket.socket(fileno=3)
    serve(listening, sys.argv[1], sys.argv[2].split(","), at_start)


main()
