# A language model with its options in functions, by group, and one that a device decides.
import argparse

import torch


def add_network_args(parser):
    group = parser.add_argument_group(title="network size")
    group.add_argument("--num-layers", type=int, default=None, help="number of transformer layers")
    group.add_argument("--hidden-size", type=int, default=None)
    group.add_argument("--seq-length", type=int, default=1024)
    group.add_argument("--position-embedding-type", type=str, default="learned_absolute",
                       choices=["learned_absolute", "rope", "none"])
    return parser


def add_learning_rate_args(parser):
    group = parser.add_argument_group(title="learning rate")
    group.add_argument("--lr", type=float, default=1.5e-4)
    group.add_argument("--lr-decay-style", type=str, default="linear", choices=["constant", "linear", "cosine"])
    group.add_argument("--lr-warmup-fraction", type=float, default=None)
    return parser


def add_precision_args(parser):
    group = parser.add_argument_group(title="mixed precision")
    group.add_argument("--fp16", action="store_true", help="run the model in fp16")
    group.add_argument("--bf16", action="store_true")
    group.add_argument("--loss-scale", type=float, default=2**12)
    return parser


def parse_args(extra_args_provider=None):
    parser = argparse.ArgumentParser(description="language model", allow_abbrev=False)
    parser = add_network_args(parser)
    parser = add_learning_rate_args(parser)
    parser = add_precision_args(parser)
    if extra_args_provider is not None:
        parser = extra_args_provider(parser)
    args = parser.parse_args()
    args.params_dtype = torch.half if args.fp16 else torch.float
    return args


if __name__ == "__main__":
    parse_args()
