# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells what a script takes on its command line by running it up to there.

usage: argument_probe.py stubs|real SECONDS ROOT SCRIPT

The answer is one line of JSON on standard output, whatever happens (PROBE.md beside engine/program/probe). The script
is run statement by statement, and one that fails is skipped. With "stubs" every package outside the project is replaced
by something that takes any use; with "real" only those that are missing. What makes arguments (argparse, click, absl,
fire, tyro, Hydra, dataclasses) is watched instead of obeyed: nothing is ever trained.
"""
import abc
import argparse
import ast
import builtins
import dataclasses
import enum
import importlib.abc
import importlib.machinery
import inspect
import json
import os
import signal
import sys
import time
import types

BEGUN = time.time()


def held_up():
    """Seconds for which this process was ready to compute and had no core: on a busy computer most of its time."""
    try:
        file = os.open("/proc/self/schedstat", os.O_RDONLY)
        try:
            return int(os.read(file, 100).split()[1]) / 1e9
        finally:
            os.close(file)
    except (OSError, ValueError, IndexError):
        return 0.0


HELD = held_up()
MODE, SECONDS, ROOT, SCRIPT = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4]
HOME = os.path.dirname(SCRIPT)
ANSWER = os.fdopen(os.dup(1), "w", encoding="ascii")
os.dup2(2, 1)  # what the script prints is no answer
OWN = sys._getframe().f_code.co_filename
KEPT = {"yaml", "typing_extensions", "attr", "attrs", "pydantic", "pydantic_core", "annotated_types", "six", "toml",
        "tomli", "packaging", "easydict", "sitecustomize", "usercustomize"}
MOST = 20000  # arguments, and values of a list


class Found:
    """What was found so far."""
    style = "none"
    arguments, config, failed, unread, stubbed = [], "", [], [], set()
    parsers = {}  # those that may not be the last: by their identity
    until = SECONDS  # of passed(): then it answers with what it has
    guessed = False  # a stub was taken for a number, a text, a truth value: what follows from it is no more certain

    @classmethod
    def whole(cls):
        every = [each for _, arguments in cls.parsers.values() for each in arguments] + cls.arguments
        seen, unique = set(), []
        for each in reversed(every):  # of the parser that came last
            key = (each["subcommand"], tuple(each["flags"]) or each["name"])
            if key not in seen:
                seen.add(key)
                unique.append(each)
        return unique[::-1][:MOST]


def finish(reason=None):
    if reason:
        Found.failed.append(reason)
    text = json.dumps({"style": Found.style, "arguments": Found.whole(), "config": Found.config,
                       "failed": Found.failed[:100], "unread": Found.unread[:100],
                       "stubbed": sorted(Found.stubbed)[:1000], "guessed": Found.guessed, "seconds": round(time.time() - BEGUN, 3)})
    ANSWER.write(text + "\n")
    ANSWER.flush()
    os._exit(0)


def tell(style, arguments, config=""):
    Found.style, Found.config = style, config or Found.config
    Found.arguments = Found.arguments + arguments
    finish()


# ---- stubs: classes that take any use ---------------------------------------------------------------------------
def guess(value):
    caller = sys._getframe(2).f_code.co_filename
    Found.guessed = Found.guessed or not caller.endswith("argparse.py")  # which only makes a text of it
    return value


class Stub(abc.ABCMeta):
    """A class that stands for anything of a package that is not imported: called, derived from, indexed, iterated."""

    def __getattr__(cls, name):
        if name == "__version__":
            return guess("99.0.0")
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = stub((said(cls) + "." if is_stub(cls) else "") + name)
        if is_stub(cls):
            type.__setattr__(cls, name, made)
        return made

    def __call__(cls, *values, **named):
        if not is_stub(cls):
            return type.__call__(cls, *values, **named)
        if len(values) == 1 and not named and (inspect.isfunction(values[0]) or is_users_class(values[0])):
            return values[0]  # it may be a decorator
        for value in values:
            if isinstance(value, argparse.ArgumentParser):
                note_unread("%s() may add arguments; it is not of the project" % said(cls))
                return value
        return stub(said(cls) + "()", True)

    def register(cls, *values, **named):
        return stub(said(cls) + ".register") if is_stub(cls) else abc.ABCMeta.register(cls, *values, **named)

    def __getitem__(cls, key):
        return stub(said(cls) + "[]", True)

    def __bool__(cls):
        return not guess(cls.__dict__.get("_result", False))

    def __instancecheck__(cls, other):
        return False if is_stub(cls) else abc.ABCMeta.__instancecheck__(cls, other)

    def __subclasscheck__(cls, other):
        return False if is_stub(cls) and cls is not other else abc.ABCMeta.__subclasscheck__(cls, other)

    def __str__(cls):
        return said(cls) if is_stub(cls) else type.__str__(cls)

    __repr__ = __str__

    def __mro_entries__(cls, bases):
        return (cls,)

    def __exit__(cls, *values):
        return False

    __enter__ = lambda cls: cls
    __iter__ = lambda cls: iter(guess(()))
    __next__ = lambda cls: stop()
    __len__ = lambda cls: guess(0)
    __contains__ = lambda cls, other: guess(False)
    __setitem__ = lambda cls, key, value: None
    __delitem__ = lambda cls, key: None
    __int__ = __index__ = lambda cls: guess(1)
    __float__ = lambda cls: guess(1.0)
    __fspath__ = lambda cls: guess("/nonexistent")
    __hash__ = lambda cls: id(cls)
    __eq__ = lambda cls, other: cls is other
    __lt__ = __le__ = lambda cls, other: guess(False)
    __gt__ = __ge__ = lambda cls, other: guess(True)


def stop():
    raise StopIteration


def operator(name):
    return lambda cls, *others: stub("%s(%s)" % (name, said(cls)), True)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift",
              "matmul"):
    setattr(Stub, "__%s__" % _name, operator(_name))
    setattr(Stub, "__r%s__" % _name, operator(_name))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(Stub, "__%s__" % _name, operator(_name))


class StubBase(metaclass=Stub):
    def __init__(self, *values, **named):
        pass

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return stub(type(self).__name__ + "()." + name)

    def __call__(self, *values, **named):
        return stub(type(self).__name__ + "()()", True)


def stub(path, result=False):
    return Stub(path.rpartition(".")[2] or "stub", (StubBase,), {"_path": path, "_stub": True, "_result": result})


def is_stub(value):
    return isinstance(value, Stub) and bool(value.__dict__.get("_stub"))


def said(cls):
    return cls.__dict__.get("_path", cls.__name__)


def is_users_class(value):
    return isinstance(value, type) and not is_stub(value)


class StubModule(types.ModuleType):
    def __getattr__(self, name):
        if name == "__version__":
            return "99.0.0"
        if name == "__all__":
            return []
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = stub(self.__name__ + "." + name)
        setattr(self, name, made)
        return made

    def __call__(self, *values, **named):
        return stub(self.__name__ + "()", True)


def asked_by_project():
    frame = sys._getframe(2)
    while frame:
        file = frame.f_code.co_filename
        if not file.startswith("<") and "importlib" not in file and file != OWN:
            return file == SCRIPT or file.startswith(ROOT + os.sep)
        frame = frame.f_back
    return False


def is_of_python(top):
    names = getattr(sys, "stdlib_module_names", None)
    if names is not None:
        return top in names
    return top in sys.builtin_module_names or any(
        os.path.exists(os.path.join(folder, top + end)) for end in (".py", "") for folder in sys.path
        if "python3" in folder and "site-packages" not in folder and "dist-packages" not in folder)


def is_of_project(top):
    return any(os.path.isdir(os.path.join(folder, top)) or os.path.exists(os.path.join(folder, top + ".py"))
               for folder in (HOME, ROOT, os.path.join(ROOT, "src")))


class StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """First of all finders it replaces, last of them it stands in for what is missing."""

    def __init__(self, replaces):
        self.replaces = replaces

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        above = sys.modules.get(name.rpartition(".")[0])
        if isinstance(above, StubModule):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        if path is not None or top in KEPT and self.replaces or not asked_by_project():
            return None
        if top not in WATCHED and (is_of_python(top) or is_of_project(top)):
            return None
        if top not in WATCHED:
            Found.stubbed.add(top)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return StubModule(spec.name)

    def exec_module(self, module):
        module.__path__ = []
        for name, value in WATCHED.get(module.__name__.partition(".")[0], {}).items():
            setattr(module, name, value)


# ---- values and types as JSON -----------------------------------------------------------------------------------
def encoded(value, depth=0):
    if value is None or isinstance(value, (bool, str)) and not isinstance(value, enum.Enum):
        return value
    if isinstance(value, enum.Enum):
        return encoded(value.value, depth)
    if isinstance(value, int):
        return int(value) if abs(value) < 2 ** 63 else {"code": str(value)[:400]}
    if isinstance(value, float):
        return float(value) if abs(value) < float("inf") else {"float": repr(value)}
    if isinstance(value, os.PathLike) and not isinstance(value, type):
        return str(value)
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=repr)
    if isinstance(value, (list, tuple, range)) and depth < 4:
        return [encoded(each, depth + 1) for each in list(value)[:5000]]
    if isinstance(value, dict) and depth < 4:
        return {"dict": [[encoded(key, depth + 1), encoded(each, depth + 1)] for key, each in list(value.items())[:5000]]}
    try:
        return {"code": (said(value) if is_stub(value) else getattr(value, "__name__", None) or repr(value))[:400]}
    except Exception:
        return {"code": "?"}


def type_text(kind):
    if kind is None or kind is inspect.Parameter.empty:
        return "str"
    if is_stub(kind):
        return said(kind)
    if isinstance(kind, str):
        return kind
    return getattr(kind, "__name__", None) or str(kind).replace("typing.", "")


def argument(name, flags, kind="str", default=None, choices=None, nargs="", required=False, text="", group="",
             subcommand="", action="store"):
    return {"name": str(name), "flags": [str(each) for each in flags], "type": str(kind), "default": encoded(default),
            "choices": encoded(choices), "nargs": str(nargs), "required": bool(required),
            "help": text if isinstance(text, str) else "", "group": group if isinstance(group, str) else "",
            "subcommand": subcommand, "action": action}


def note_unread(what):
    frame = sys._getframe(1)
    while frame and not (frame.f_code.co_filename == SCRIPT or frame.f_code.co_filename.startswith(ROOT + os.sep)):
        frame = frame.f_back
    file, line = (frame.f_code.co_filename, frame.f_lineno) if frame else (SCRIPT, 0)
    Found.unread.append({"file": os.path.relpath(file, HOME), "line": line, "what": what})


# ---- argparse ---------------------------------------------------------------------------------------------------
def action_word(action):
    for kind, word in ((argparse._StoreTrueAction, "store_true"), (argparse._StoreFalseAction, "store_false"),
                       (argparse._StoreConstAction, "store_const"), (argparse._CountAction, "count"),
                       (argparse._AppendAction, "append")):
        if isinstance(action, kind):
            return "extend" if type(action).__name__ == "_ExtendAction" else word
    if type(action).__name__ == "BooleanOptionalAction":
        return "negatable"
    return "store" if isinstance(action, argparse._StoreAction) else "other"


def of_parser(parser, subcommand=""):
    titles = {id(action): group.title for group in parser._action_groups for action in group._group_actions}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            known = set()
            for name, below in action.choices.items():
                if id(below) not in known:  # else another name of it
                    yield from of_parser(below, (subcommand + " " + name).strip())
                known.add(id(below))
            continue
        if isinstance(action, (argparse._HelpAction, argparse._VersionAction)):
            continue
        word = action_word(action)
        kind = {"store_true": "bool", "store_false": "bool", "negatable": "bool", "count": "int"}.get(word)
        group = titles.get(id(action)) or ""
        takes = word in ("store", "append", "extend", "other")
        default = parser._defaults.get(action.dest, action.default)
        yield argument(action.dest, action.option_strings, kind or type_text(action.type),
                       None if default is argparse.SUPPRESS else default,
                       action.choices if action.choices is None or is_stub(action.choices) else list(action.choices),
                       action.nargs if takes and action.nargs is not None else "",
                       action.required, "" if action.help == argparse.SUPPRESS else action.help,
                       "" if group in ("options", "optional arguments", "positional arguments") else group,
                       subcommand, word)


def defaults_of(parser):
    space = argparse.Namespace()
    for action in parser._actions:
        if action.dest in (argparse.SUPPRESS, "help") or action.default is argparse.SUPPRESS:
            continue
        value = action.default
        if isinstance(value, str):
            try:
                value = parser._get_value(action, value)
            except Exception:
                pass
        setattr(space, action.dest, value)
    for name, value in parser._defaults.items():
        setattr(space, name, value)
    return space


def parsed(parser, words=None, space=None, *more, **named):
    Found.style = "argparse"
    Found.arguments = Found.arguments + list(of_parser(parser))
    Found.parsers.pop(id(parser), None)
    finish()


def partly_parsed(parser, words=None, space=None, *more, **named):
    """The script may add arguments and parse again: it goes on with the defaults, for a moment."""
    Found.style = "argparse"
    Found.parsers.pop(id(parser), None)
    Found.parsers[id(parser)] = (parser, list(of_parser(parser)))
    Found.until = min(SECONDS, 0.5 + 2 * passed())
    signal.setitimer(signal.ITIMER_REAL, max(0.01, Found.until - passed()))
    return defaults_of(parser), []


argparse.ArgumentParser.parse_args = argparse.ArgumentParser.parse_intermixed_args = parsed
argparse.ArgumentParser.parse_known_args = argparse.ArgumentParser.parse_known_intermixed_args = partly_parsed


# ---- classes and functions whose members are arguments ------------------------------------------------------------
def of_annotation(kind):
    """Type, choices and number of values of int, Optional[int], List[int], Literal["a"], an enumeration."""
    origin, inner = getattr(kind, "__origin__", None), getattr(kind, "__args__", ())
    if type(kind).__name__ == "UnionType":
        origin, inner = "Union", kind.__args__
    name = str(getattr(origin, "__name__", None) or getattr(origin, "_name", None) or origin)
    if name == "Literal":
        return type(inner[0]).__name__, list(inner), ""
    if name == "Annotated" or hasattr(kind, "__metadata__"):
        return of_annotation(origin)
    if name == "Union":
        inner = [each for each in inner if each is not type(None)]
        return of_annotation(inner[0]) if inner else ("str", None, "")
    if name in ("list", "List", "tuple", "Tuple", "Sequence") and inner:
        return of_annotation(inner[0])[0], None, "*"
    if isinstance(kind, type) and issubclass(kind, enum.Enum) and not is_stub(kind):
        return kind.__name__, [each.value for each in kind], ""
    return type_text(kind), None, ""


def hints_of(owner):
    try:
        import typing
        return typing.get_type_hints(owner)
    except Exception:
        return {}


def flags_of(name, kind, dashes, negatable):
    written = name.replace("_", "-") if dashes else name
    above, dot, last = written.rpartition(".")
    return ["--" + written] + (["--" + above + dot + "no-" + last] if kind == "bool" and negatable else [])


def of_dataclass(cls, prefix="", dashes=False, negatable=False):
    hints = hints_of(cls)
    for base in cls.__mro__:
        if is_stub(base):
            note_unread("the fields of %s; it is not of the project" % said(base))
    for field in dataclasses.fields(cls):
        if not field.init:
            continue
        kind = hints.get(field.name, field.type)
        default, required = field.default, False
        if default is dataclasses.MISSING:
            required = field.default_factory is dataclasses.MISSING
            default = None if required else field.default_factory()
        inner = type(default) if dataclasses.is_dataclass(default) else kind
        if dataclasses.is_dataclass(inner) and isinstance(inner, type):
            yield from of_dataclass(inner, prefix + field.name + ".", dashes, negatable)
            continue
        name, choices, nargs = of_annotation(kind)
        told = field.metadata or {}
        yield argument(prefix + field.name, flags_of(prefix + field.name, name, dashes, negatable), name, default,
                       told.get("choices", choices), nargs, required, told.get("help", ""),
                       action="negatable" if name == "bool" and negatable else "store")


def of_signature(function, prefix="", dashes=False, negatable=False):
    hints = hints_of(function)
    for each in inspect.signature(function).parameters.values():
        if each.name in ("self", "cls") or each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
            continue
        required = each.default is each.empty
        kind = hints.get(each.name, each.annotation)
        if kind is each.empty and not required and each.default is not None:
            kind = type(each.default)
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            yield from of_dataclass(kind, prefix + each.name + ".", dashes, negatable)
            continue
        name, choices, nargs = of_annotation(kind)
        yield argument(prefix + each.name, flags_of(prefix + each.name, name, dashes, negatable), name,
                       None if required else each.default, choices, nargs, required,
                       action="negatable" if name == "bool" and negatable else "store")


def of_any(target, dashes=False, negatable=False):
    if dataclasses.is_dataclass(target) and isinstance(target, type):
        return list(of_dataclass(target, "", dashes, negatable))
    return list(of_signature(target, "", dashes, negatable))


class HfArgumentParser:
    def __init__(self, types=(), *values, **named):
        self.types = list(types) if isinstance(types, (list, tuple)) else [types]

    def __getattr__(self, name):
        def parse(*values, **named):
            found = []
            for each in self.types:
                if dataclasses.is_dataclass(each):
                    found += of_dataclass(each)
                else:
                    note_unread("the fields of %s; it is not of the project" % type_text(each))
            tell("dataclass", found)
        if name.startswith("parse"):
            return parse
        raise AttributeError(name)


def tyro_cli(target, *values, **named):
    tell("tyro", of_any(target, True, True))


def dataclass_parse(config_class=None, *values, **named):
    tell("dataclass", of_any(config_class))


def fire(component=None, *values, **named):
    if inspect.isfunction(component) or inspect.ismethod(component):
        tell("fire", list(of_signature(component)))
    commands = component if isinstance(component, dict) else {
        name: each for name, each in vars(component).items() if inspect.isfunction(each) and name[0] != "_"} \
        if isinstance(component, type) else {}
    found = []
    for name, each in commands.items():
        if callable(each):
            found += [dict(one, subcommand=name) for one in of_signature(each)]
    tell("fire", found)


def hydra_main(config_path=None, config_name=None, version_base=None, **named):
    def decorate(function):
        def run(*values, **more):
            name = config_name or ""
            file = os.path.join(HOME, config_path or "", name if name.endswith(".yaml") else name + ".yaml")
            tell("hydra", [], os.path.relpath(file, HOME) if name else "")
        return run
    return decorate


class LightningCLI:
    def __init__(self, model_class=None, datamodule_class=None, *values, trainer_class=None, **named):
        found = []
        for prefix, each in (("model.", model_class), ("data.", datamodule_class), ("trainer.", trainer_class)):
            if is_users_class(each):
                found += of_signature(each.__init__, prefix)
        if trainer_class is None or is_stub(trainer_class):
            note_unread("the arguments of Lightning's Trainer (--trainer.max_epochs and so on)")
        tell("lightning-cli", found)


# ---- click and typer ------------------------------------------------------------------------------------------------
class ClickType:
    def __init__(self, name, choices=None):
        self.__name__, self.choices = name, choices


class ClickCommand:
    def __init__(self, function, name=None):
        self.function, self.commands = function, {}
        self.name = name or function.__name__.replace("_", "-")
        self.__name__ = function.__name__
        self.parameters = list(reversed(getattr(function, "_click", [])))

    def all(self, subcommand=""):
        found = [dict(each, subcommand=subcommand) for each in self.parameters]
        for name, below in self.commands.items():
            found += below.all((subcommand + " " + name).strip())
        return found

    def __call__(self, *values, **named):
        tell("click", self.all())

    main = __call__

    def command(self, name=None, *values, **named):
        def add(function):
            made = function if isinstance(function, ClickCommand) else ClickCommand(
                function, name if isinstance(name, str) else None)
            self.commands[made.name] = made
            return made
        return add(name) if inspect.isfunction(name) else add

    group = command

    def add_command(self, command, name=None):
        self.commands[name or command.name] = command


def click_command(name=None, *values, **named):
    if inspect.isfunction(name):
        return ClickCommand(name)
    return lambda function: ClickCommand(function, name)


def click_parameter(positional, *declared, **told):
    def add(function):
        kept = function.function if isinstance(function, ClickCommand) else function
        flags = [each for flag in declared if flag.startswith("-") for each in flag.split("/")]
        plain = [each for each in declared if not each.startswith("-")]
        longest = max(flags, key=lambda each: len(each.lstrip("-")), default="") if not plain else ""
        first = next((each for each in flags if each.startswith("--")), longest)
        name = plain[0] if plain else first.lstrip("-").replace("-", "_")
        default, kind = told.get("default"), told.get("type")
        switch = told.get("is_flag") or any("/" in each for each in declared)
        if callable(default) and not is_stub(default):
            default = default()
        if kind is None and default is not None:
            kind = type(default)
        if switch:
            kind, default = bool, bool(default)
        nargs = told.get("nargs", 1)
        required = told.get("required", positional and default is None)
        negatable = any("/" in each for each in declared)
        action = "negatable" if negatable else "store_true" if switch else "count" if told.get("count") else \
            "append" if told.get("multiple") else "store"
        made = argument(name, [] if positional else [each.strip() for each in flags],
                        "int" if told.get("count") else type_text(kind), default,
                        getattr(kind, "choices", None), "*" if nargs == -1 else "" if nargs == 1 else nargs, required,
                        told.get("help", ""), action=action)
        if isinstance(function, ClickCommand):
            function.parameters.insert(0, made)
        else:
            kept._click = getattr(kept, "_click", []) + [made]
        return function
    return add


CLICK_TYPES = {"Choice": lambda choices, *a, **k: ClickType("str", list(choices)),
               "Path": lambda *a, **k: ClickType("Path"), "File": lambda *a, **k: ClickType("File"),
               "IntRange": lambda *a, **k: ClickType("int"), "FloatRange": lambda *a, **k: ClickType("float"),
               "INT": int, "FLOAT": float, "STRING": str, "BOOL": bool}


def typer_run(function):
    tell("fire", list(of_signature(function, "", True, True)))


# ---- absl -------------------------------------------------------------------------------------------------------------
class AbslFlags:
    """absl.flags: those that modules of the project define."""

    def __init__(self):
        self.made, self.FLAGS = {}, AbslValues(self)

    def __getattr__(self, name):
        if not name.startswith("DEFINE_"):
            return stub("absl.flags." + name)
        word = name[7:]

        def define(flag, default=None, *values, help=None, required=False, **named):
            choices = values[0] if word in ("enum", "multi_enum", "enum_class") and values else named.get("enum_values")
            texts = [each for each in values if isinstance(each, str)]
            kind = {"integer": "int", "float": "float", "boolean": "bool", "bool": "bool", "multi_integer": "int",
                    "multi_float": "float"}.get(word, "str")
            several = word.startswith("multi") or word == "list"
            flags = ["--" + flag] + (["--no" + flag] if kind == "bool" else [])
            self.made[flag] = argument(flag, flags, kind, default, choices, "", required,
                                       help or (texts[0] if texts else ""),
                                       action="append" if several else "negatable" if kind == "bool" else "store")
            return AbslHolder(flag, default)
        return define

    def mark_flag_as_required(self, name, *values):
        if str(name) in self.made:
            self.made[str(name)]["required"] = True

    def mark_flags_as_required(self, names, *values):
        for each in names:
            self.mark_flag_as_required(each)


class AbslHolder:
    def __init__(self, name, value):
        self.name, self.value, self.default = name, value, value

    def __str__(self):
        return self.name


class AbslValues:
    def __init__(self, owner):
        self.__dict__["owner"] = owner

    def __getattr__(self, name):
        made = self.owner.made.get(name)
        if made is None:
            raise AttributeError(name)
        return made["default"]

    def __setattr__(self, name, value):
        pass

    def __call__(self, *values, **named):
        return []


ABSL = AbslFlags()


def absl_run(main=None, *values, **named):
    tell("absl", list(ABSL.made.values()))


def config_file(name="config", default=None, help="", *values, **named):
    ABSL.made[name] = argument(name, ["--" + name], "config file", default, text=help)
    note_unread("the settings of --%s are set as --%s.name" % (name, name))
    return AbslHolder(name, stub("config"))


WATCHED = {
    "click": dict(CLICK_TYPES, command=click_command, group=click_command, Command=ClickCommand, Group=ClickCommand,
                  option=lambda *a, **k: click_parameter(False, *a, **k),
                  argument=lambda *a, **k: click_parameter(True, *a, **k),
                  pass_context=lambda function: function, pass_obj=lambda function: function),
    "absl": {"flags": ABSL, "FLAGS": ABSL.FLAGS, "run": absl_run,
             "app": types.SimpleNamespace(run=absl_run, UsageError=ValueError)},
    "ml_collections": {"config_flags": types.SimpleNamespace(DEFINE_config_file=config_file,
                                                             DEFINE_config_dict=config_file),
                       "DEFINE_config_file": config_file},
    "fire": {"Fire": fire}, "tyro": {"cli": tyro_cli}, "typer": {"run": typer_run},
    "pyrallis": {"parse": dataclass_parse}, "draccus": {"parse": dataclass_parse},
    "simple_parsing": {"parse": dataclass_parse}, "hydra": {"main": hydra_main},
}
# In packages that are else as they are, or stubs: these alone.
REPLACED = {"HfArgumentParser": HfArgumentParser, "TrlParser": HfArgumentParser, "LightningCLI": LightningCLI}


def replace_in(module):
    for name, value in REPLACED.items():
        known = module.__dict__.get(name)
        if isinstance(module, StubModule) or known is not None and known is not value:
            setattr(module, name, value)


_import = builtins.__import__


def watched_import(name, globals=None, locals=None, fromlist=(), level=0):
    module = _import(name, globals, locals, fromlist, level)
    if fromlist and level == 0 and REPLACED.keys() & set(fromlist):
        replace_in(module)
    return module


builtins.__import__ = watched_import
_exec = builtins.exec


def watched_exec(source, globals=None, locals=None, **named):
    frame = sys._getframe(1)
    if globals is None:
        globals, locals = frame.f_globals, frame.f_locals if locals is None else locals
    if globals.get("__name__") == "__main__" and isinstance(source, str) and ("argv" in source or "config" in source):
        found = [argument(name, ["--" + name], type(value).__name__, value) for name, value in globals.items()
                 if not name.startswith("_") and isinstance(value, (bool, int, float, str))]
        tell("globals", found)
    return _exec(source, globals, globals if locals is None else locals, **named)


builtins.exec = watched_exec
_vars = builtins.vars


def watched_vars(*values):
    if not values:
        return sys._getframe(1).f_locals
    return guess({}) if is_stub(values[0]) or isinstance(values[0], StubModule) else _vars(*values)


builtins.vars = watched_vars


# ---- the script -------------------------------------------------------------------------------------------------------
def where(error):
    trace = error.__traceback__
    file, line = SCRIPT, 0
    while trace:
        name = trace.tb_frame.f_code.co_filename
        if name == SCRIPT or name.startswith(ROOT + os.sep):
            file, line = name, trace.tb_lineno
        trace = trace.tb_next
    return "%s:%d: %s: %s" % (os.path.relpath(file, HOME), line, type(error).__name__, str(error)[:200])


def stand_in(statement, module):
    """The names that a statement would have defined."""
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            module.__dict__.setdefault(node.name, stub(node.name))
        elif isinstance(node, ast.alias):
            name = (node.asname or node.name).partition(".")[0]
            module.__dict__.setdefault(name, stub(name))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            module.__dict__.setdefault(node.id, stub(node.id))


def passed():
    """Seconds since the beginning that count: those in which it had to wait for a core do not."""
    return time.time() - BEGUN - (held_up() - HELD)


def alarm(number, frame):
    left = Found.until - passed()
    if left > 0.01:
        signal.setitimer(signal.ITIMER_REAL, left)
    else:
        finish(None if Found.parsers else "it took longer than %.1f s to come to its arguments" % passed())


def run():
    signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    if MODE == "stubs":
        sys.meta_path.insert(0, StubFinder(True))
    sys.meta_path.append(StubFinder(False))
    sys.argv = [SCRIPT]
    sys.path[0:1] = [HOME]
    sys.path += [each for each in (ROOT, os.path.join(ROOT, "src")) if each not in sys.path and os.path.isdir(each)]
    sys.dont_write_bytecode = True
    try:
        with open(SCRIPT, "rb") as file:
            tree = ast.parse(file.read(), SCRIPT)
    except (SyntaxError, ValueError, OSError, RecursionError, MemoryError) as error:
        finish("%s: %s" % (type(error).__name__, error))
    module = types.ModuleType("__main__")
    module.__file__, module.__builtins__ = SCRIPT, builtins
    sys.modules["__main__"] = module
    ahead = [each for each in tree.body if isinstance(each, ast.ImportFrom) and each.module == "__future__"]
    for statement in tree.body:
        part = ast.parse("")
        part.body = ahead + [statement]
        try:
            _exec(compile(part, SCRIPT, "exec"), module.__dict__)
        except BaseException as error:
            Found.failed.append(where(error))
            stand_in(statement, module)
    finish()


if __name__ == "__main__":
    run()
