# Two stages: a file of settings may change the defaults of the second parser.
import argparse

import torch.nn as nn
import yaml
from timm.utils import setup_default_logging

config_parser = parser = argparse.ArgumentParser(description="settings", add_help=False)
parser.add_argument("-c", "--config", default="", type=str, metavar="FILE", help="YAML file with defaults")

parser = argparse.ArgumentParser(description="training of images")
group = parser.add_argument_group("Model parameters")
group.add_argument("--model", default="resnet50", type=str, help="name of the model")
group.add_argument("--drop", type=float, default=0.0)
group.add_argument("--bn-eps", type=float, default=nn.BatchNorm2d(1).eps if False else 1e-5)
group = parser.add_argument_group("Optimizer parameters")
group.add_argument("--opt", default="sgd", type=str)
group.add_argument("--lr", type=float, default=0.05)
group.add_argument("--no-aug", action="store_true", default=False)


def parse():
    known, remaining = config_parser.parse_known_args()
    if known.config:
        with open(known.config) as file:
            parser.set_defaults(**yaml.safe_load(file))
    return parser.parse_args(remaining)


def main():
    setup_default_logging()
    args = parse()
    print(args)


if __name__ == "__main__":
    main()
