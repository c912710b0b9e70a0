# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what the parser of a script holds, a line for each argument, as script_arguments_test writes its own.

usage: held_arguments.py SCRIPT
"""
import argparse
import os
import runpy
import sys


def plain(value):
    if isinstance(value, (tuple, range)):
        return list(value)
    return list(value) if isinstance(value, dict) else value


def type_of(action):
    if isinstance(action, (argparse._StoreTrueAction, argparse._StoreFalseAction, argparse.BooleanOptionalAction)):
        return "bool"
    if isinstance(action, argparse._CountAction):
        return "int"
    return action.type.__name__ if action.type else "str"


def lines(parser, subcommand):
    titles = {id(action): group.title for group in parser._action_groups for action in group._group_actions}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from lines(below, (subcommand + " " + name).strip())
            continue
        if isinstance(action, argparse._HelpAction):
            continue
        takes = isinstance(action, (argparse._StoreAction, argparse._AppendAction))
        given = "" if action.required and action.default is None else repr(plain(action.default))
        choices = "" if action.choices is None else repr(plain(action.choices))
        nargs = "" if action.nargs is None or not takes else str(action.nargs)
        group = titles.get(id(action)) or ""
        group = "" if group in ("options", "optional arguments", "positional arguments") else group
        yield " | ".join([action.dest, " ".join(action.option_strings), type_of(action), given, choices, nargs,
                          "required" if action.required else "", group, subcommand])


def told(parser, *arguments, **words):
    print("\n".join(lines(parser, "")))
    sys.exit(0)


argparse.ArgumentParser.parse_args = told
sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
