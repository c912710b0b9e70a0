# The fields of dataclasses become options in a loop.
import argparse
from dataclasses import dataclass, field, fields

import numpy as np


@dataclass
class Common:
    seed: int = field(default=1, metadata={"help": "seed of the generators"})
    log_interval: int = field(default=100, metadata={"help": "steps between two lines of the log"})
    no_progress_bar: bool = field(default=False, metadata={"help": "leaves the bar out"})


@dataclass
class Optimization:
    max_epoch: int = field(default=0, metadata={"help": "0: no limit"})
    clip_norm: float = field(default=0.0, metadata={"help": "largest norm of the gradients"})
    criterion: str = field(default="cross_entropy")


def gen_parser_from_dataclass(parser, cls):
    for each in fields(cls):
        name = "--" + each.name.replace("_", "-")
        words = {"help": each.metadata.get("help")}
        if isinstance(each.default, bool):
            parser.add_argument(name, action="store_true", default=each.default, **words)
        else:
            parser.add_argument(name, type=type(each.default), default=each.default, **words)


def get_training_parser():
    parser = argparse.ArgumentParser()
    for title, cls in (("common", Common), ("optimization", Optimization)):
        gen_parser_from_dataclass(parser.add_argument_group(title), cls)
    parser.add_argument("--arch", "-a", default="transformer", help="architecture of the model")
    return parser


if __name__ == "__main__":
    args = get_training_parser().parse_args()
    np.random.seed(args.seed)
