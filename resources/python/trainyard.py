# SPDX-License-Identifier: GPL-3.0-or-later
"""What a training script can tell Trainyard, and ask it. One file, no dependencies, Python 3.7 or newer.

    import trainyard

    for step in range(first, last):
        ...
        trainyard.report({"train/loss": loss}, step=step)
        if trainyard.should_stop():
            save("last.pt")
            trainyard.report({}, step=step, checkpoint="last.pt")
            break

Without Trainyard all of it does nothing, so a script runs as ever. Inside a run the module is found by itself; to keep
a script that imports it running elsewhere, copy this file beside it. An error of the disk never reaches the training:
it is counted, and said once.
"""
import faulthandler
import json
import math
import os
import signal
import stat
import sys
import threading
import time
import types

__all__ = ["report", "log", "get_checkpoint", "context", "should_stop", "on_stop", "Context"]

_encode = json.JSONEncoder(separators=(",", ":"), skipkeys=True, default=lambda value: _plain(value)).encode


def _plain(value):
    """A tensor or a number of another package as a number; None, a gap in the curve, where it is neither."""
    try:
        return value.item()
    except Exception:
        pass
    try:
        return float(value)
    except Exception:
        return None


_names = {}  # as JSON, with what stands before and behind


def _line(line):
    """The same as _encode() for the common case, names and finite numbers, in two thirds of the time."""
    parts = []
    for name, value in line.items():
        kind = type(value)
        if kind is float and value - value == 0.0 or kind is int:
            start = _names.get(name)
            if start is None:
                if type(name) is not str or len(_names) > 10000:
                    return _encode(line)
                start = _names[name] = json.dumps(name) + ":"
            parts.append(start + repr(value))
        else:
            return _encode(line)
    return "{" + ",".join(parts) + "}"


class _File:
    """The metrics file of this rank. Each line is one write, so that lines of several processes never mix."""

    def __init__(self, path):
        self.path = path
        self.descriptor = -1
        self.identity = None
        self.lost = 0
        self.said = False
        self.half = False  # the last write was cut short
        self.looked = 0.0

    def open(self):
        # Neither a link is followed nor a FIFO waited for.
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(self.path, flags, 0o644)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError("%s is no regular file" % self.path)
        self.descriptor, self.identity = descriptor, (status.st_dev, status.st_ino)

    def look(self):
        """A program that closes all descriptors may have given this number to a file of its own."""
        try:
            status = os.fstat(self.descriptor)
            if (status.st_dev, status.st_ino) == self.identity:
                return
        except OSError:
            pass
        self.open()

    def write(self, line):
        try:
            now = time.monotonic()
            if now - self.looked > 0.02:
                self.look()
                self.looked = now
            data = (("\n" if self.half else "") + line + "\n").encode("ascii")
            self.half = os.write(self.descriptor, data) != len(data)
            if self.half:
                raise OSError("the disk took only a part of a line of %s" % self.path)
        except OSError as error:
            self.lose(error)

    def lose(self, error):
        self.lost += 1
        if self.said:
            return
        self.said = True
        try:
            sys.stderr.write("trainyard: what is reported is lost, training goes on: %s\n" % error)
        except Exception:
            pass


_path = os.environ.get("TRAINYARD_METRICS")
_file = _File(_path) if _path else None


def _metrics():
    """The file, or None outside a run."""
    return _file


def report(metrics, step=None, epoch=None, checkpoint=None):
    """Adds a point to the curves of the run.

    metrics: {"train/loss": 0.31}; numbers, tensors of one element, or further dicts, whose names are joined by "/".
    step: a whole number from 0 on. Without one the epoch counts, else the order.
    checkpoint: a file or folder that has just been saved, whole: it becomes one to resume from.
    """
    file = _metrics()
    if file is None:
        return
    try:
        line = {}
        if step is not None:
            line["step"] = int(step)
        if epoch is not None:
            line["epoch"] = float(epoch)
        line.update(metrics)
        if checkpoint is not None:
            line["checkpoint"] = os.path.abspath(os.fspath(checkpoint))
        text = _line(line)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:  # no dict, one that holds itself
        file.lose(error)
        return
    file.write(text)


def log(text):
    """Adds a line to the log of the run."""
    file = _metrics()
    if file is not None:
        file.write(_encode({"text": str(text)}))


def get_checkpoint():
    """The path of the checkpoint to go on from, or None: begin from scratch."""
    path = os.environ.get("TRAINYARD_CHECKPOINT")
    return path if path and os.path.exists(path) else None


class Context:
    """Where this process stands in its run."""

    def __init__(self):
        def number(name, otherwise):
            try:
                return int(os.environ[name])
            except (KeyError, ValueError):
                return otherwise

        self.rank = number("RANK", 0)
        self.world_size = number("WORLD_SIZE", 1)
        self.local_rank = number("LOCAL_RANK", 0)
        self.local_world_size = number("LOCAL_WORLD_SIZE", 1)
        self.restarts = number("TORCHELASTIC_RESTART_COUNT", 0)
        self.seed = number("TRAINYARD_SEED", None)
        self.run = os.environ.get("TRAINYARD_RUN", "")
        self.trial = os.environ.get("TRAINYARD_TRIAL", "")
        self.checkpoint = get_checkpoint()
        self.inside = bool(os.environ.get("TRAINYARD_METRICS"))
        self.output = self._output()

    def _output(self):
        """A folder for what the program saves; outside a run the current one."""
        given = os.environ.get("TRAINYARD_OUTPUT")
        if not given and not self.inside:
            return os.getcwd()
        folder = given or os.path.join(os.path.dirname(os.path.abspath(os.environ["TRAINYARD_METRICS"])), "output")
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError:
            pass  # whoever saves there is told
        return folder

    def __repr__(self):
        return "Context(%s)" % ", ".join("%s=%r" % each for each in sorted(vars(self).items()))


def context():
    """Rank, world size, output folder and the like: a Context."""
    return Context()


_masks = threading.local()


def _hold():
    """Python forgets a signal that comes between a fork and what follows it, so it has to wait."""
    _masks.before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})


def _release():
    signal.pthread_sigmask(signal.SIG_SETMASK, _masks.before)


class _Stop:
    """The wish to stop: SIGTERM, and the call of should_stop() after which all ranks obey it."""

    def __init__(self):
        self.process = 0  # that the handler is for
        self.previous = None
        self.wanted = False
        self.asked = 0  # calls of should_stop()
        self.begun = 0.0  # the first of them
        self.at = None  # the call that returns true
        self.callbacks = []

    def install(self):
        if self.process == os.getpid():
            return
        if threading.current_thread() is not threading.main_thread():
            return  # Python takes signals in the main thread only
        hooked = self.process != 0
        self.__init__()
        self.previous = signal.signal(signal.SIGTERM, self.handle)
        self.process = os.getpid()
        if not hooked and hasattr(os, "register_at_fork"):
            os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=self.leave)

    def leave(self):
        """In a data worker that was forked: SIGTERM ends it, as it would without this module."""
        try:
            if self.process and signal.getsignal(signal.SIGTERM) == self.handle:
                signal.signal(signal.SIGTERM, self.previous or signal.SIG_DFL)
        except ValueError:
            pass
        _release()

    def handle(self, number, frame):
        self.wanted = True
        callbacks, self.callbacks = self.callbacks, []
        for each in callbacks:
            try:
                each()
            except Exception:
                sys.excepthook(*sys.exc_info())
        if callable(self.previous):
            self.previous(number, frame)
        elif self.asked == 0:  # nobody looks whether to stop
            sys.exit(128 + number)

    def ask(self):
        now = time.monotonic()
        if self.asked == 0:
            self.begun = now
        self.asked += 1
        if not self.wanted:
            return False
        if self.at is None:
            self.at = self.agree((now - self.begun) / max(1, self.asked - 1))
        return self.asked >= self.at

    def agree(self, seconds):
        """The call after which all ranks stop; `seconds` lie between two of them.

        Each rank gets the signal for itself, perhaps one step before another, and one that stopped alone would leave
        the others waiting for it. The first rank proposes a call so far ahead that by then every rank has the signal:
        on one host by a file of the run, on several through what the ranks of torch.distributed have met at.
        """
        is_one_host = os.environ.get("GROUP_WORLD_SIZE", "1") == "1"
        store = None if is_one_host else _store()
        if os.environ.get("WORLD_SIZE", "1") == "1" or (store is None and not is_one_host):
            return self.asked
        ahead = 1 if seconds > 2 else max(2, int(math.ceil(0.5 / max(seconds, 1e-4))))
        generation = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
        try:
            if store is not None:
                return int(store.compare_set("trainyard/stop/" + generation, "", str(self.asked + ahead)))
            return _first_word("stop." + generation, self.asked + ahead)
        except Exception:
            return self.asked


def _first_word(name, number):
    """The number that the first of this host's ranks has written into that file of the run; `number` where it is this
    one."""
    path = os.path.join(os.path.dirname(os.path.abspath(os.environ["TRAINYARD_METRICS"])), name)
    own = "%s.%d" % (path, os.getpid())
    with open(own, "w") as file:
        file.write(str(number))
    try:
        os.link(own, path)  # all of it, or the file of another is there
    except FileExistsError:
        pass
    finally:
        os.unlink(own)
    with open(path) as file:
        return int(file.read(20))


def _print_stacks_on_demand():
    """`trainyardctl stacks RUN`: this process prints the stack of each thread, and goes on. The keeper sends the signal
    only to a process that has a handler for it."""
    try:
        number = signal.SIGRTMIN + 3
        if signal.getsignal(number) in (signal.SIG_DFL, None):
            faulthandler.register(number, all_threads=True)
    except Exception:
        pass  # a stderr without a descriptor


def _store():
    """What the ranks of torch.distributed have met at; None where there is one rank, or no such group."""
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is None or not distributed.is_initialized() or distributed.get_world_size() < 2:
            return None
        return distributed.distributed_c10d._get_default_store()
    except Exception:
        return None


_stop = _Stop()
if _file is not None:
    _print_stacks_on_demand()


def should_stop():
    """Whether to save and end now, since the run is being stopped. To be asked by every rank, after every step: all of
    them are told so after the same one."""
    if _metrics() is None:
        return False
    _stop.install()
    return _stop.ask()


def on_stop(function):
    """Calls a function once when the run is being stopped, between two lines of the main thread; then the program ends,
    unless it asks should_stop(). Can be used as a decorator."""
    if _metrics() is not None:
        _stop.install()
        _stop.callbacks.append(function)
    return function


# --- trainyard.ray: what a training loop of Ray Train calls, where Ray is not installed ---
# from trainyard.ray import train


class _RayCheckpoint:
    """A folder, as ray.train.Checkpoint."""

    def __init__(self, path, filesystem=None):
        self.path = os.fspath(path)
        self.filesystem = filesystem

    @classmethod
    def from_directory(cls, path):
        return cls(path)

    def to_directory(self, path=None):
        import tempfile

        path = path or tempfile.mkdtemp(prefix="checkpoint_")
        _copy_into(self.path, path)
        return path

    def as_directory(self):
        import contextlib

        @contextlib.contextmanager
        def here():
            yield self.path

        return here()

    def __repr__(self):
        return "Checkpoint(path=%r)" % self.path


def _copy_into(source, target):
    import shutil

    os.makedirs(target, exist_ok=True)
    for name in os.listdir(source):
        whole = os.path.join(source, name)
        if os.path.isdir(whole):
            _copy_into(whole, os.path.join(target, name))
        else:
            shutil.copy2(whole, os.path.join(target, name))


class _RayContext:
    """As ray.train.get_context() gives it."""

    def __init__(self):
        self._is = Context()

    def get_world_size(self):
        return self._is.world_size

    def get_world_rank(self):
        return self._is.rank

    def get_local_rank(self):
        return self._is.local_rank

    def get_local_world_size(self):
        return self._is.local_world_size

    def get_node_rank(self):
        return int(os.environ.get("GROUP_RANK", "0"))

    def get_experiment_name(self):
        return self._is.run

    def get_trial_name(self):
        return self._is.trial or self._is.run

    get_trial_id = get_trial_name

    def get_trial_dir(self):
        return self._is.output


_ray_reports = [0]


def _ray_report(metrics, *, checkpoint=None, checkpoint_dir_name=None):
    """As ray.train.report(): the folder of a checkpoint is copied, since it is a temporary one as a rule."""
    number, _ray_reports[0] = _ray_reports[0], _ray_reports[0] + 1
    file = _metrics()
    if file is None:
        return
    kept = None
    if checkpoint is not None:
        kept = os.path.join(context().output, checkpoint_dir_name or "checkpoint_%06d" % number)
        unfinished = "%s.rank%d.part" % (kept, context().rank)
        try:
            _copy_into(checkpoint.path, unfinished)
            try:
                os.rename(unfinished, kept)
            except OSError:  # another rank has given its part of the same one
                import shutil

                _copy_into(unfinished, kept)
                shutil.rmtree(unfinished, ignore_errors=True)
        except OSError as error:
            file.lose(error)
            kept = None
    step = metrics.get("step", metrics.get("training_iteration", number))
    report(metrics, step=step if isinstance(step, int) else number, checkpoint=kept)


def _ray_get_checkpoint():
    path = get_checkpoint()
    return None if path is None else _RayCheckpoint(path)


def _add_ray():
    """trainyard.ray and trainyard.ray.train as modules. `ray` itself is left alone: libraries look whether it is there.
    Outside a run they are Ray's own where it is installed."""
    names = {"report": _ray_report, "get_checkpoint": _ray_get_checkpoint, "get_context": _RayContext,
             "Checkpoint": _RayCheckpoint}

    class Train(types.ModuleType):
        def __getattr__(self, name):
            if not name.startswith("__") and _metrics() is None:
                try:
                    import ray.train

                    return getattr(ray.train, name)
                except ImportError:
                    pass
            if name in names:
                return names[name]
            raise AttributeError("trainyard.ray.train has no %s: it has %s" % (name, ", ".join(sorted(names))))

    here = sys.modules[__name__]
    ray, train = types.ModuleType(__name__ + ".ray"), Train(__name__ + ".ray.train")
    here.__path__ = ray.__path__ = []  # so that `import trainyard.ray.train` looks for it among the modules
    here.ray, ray.train = ray, train
    sys.modules[ray.__name__], sys.modules[train.__name__] = ray, train


_add_ray()
