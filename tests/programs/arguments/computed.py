# What only Python knows: names from a loop, defaults from the environment, arguments of a package.
import argparse
import os

import deepspeed

import models

parser = argparse.ArgumentParser()
for key in ("alpha", "beta"):
    parser.add_argument("--" + key, type=float)
for key, value in vars(models).items():
    parser.add_argument(f"--{key}", default=value)
parser.add_argument("--root", default=os.environ.get("ROOT", "/data"))
parser.add_argument("--model", choices=models.names())
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--nan", type=float, default=float("nan"))
parser.add_argument("--größe", type=int, default=1_000)
parser.add_argument("--a.b", default=r"\d", help=f"a {1}")
parser = deepspeed.add_config_arguments(parser)
args = parser.parse_args()
