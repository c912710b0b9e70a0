# The parser of a function, as the parent of another.
import argparse
from pathlib import Path

import util.misc as utils


def get_args_parser():
    parser = argparse.ArgumentParser("Set transformer detector", add_help=False)
    parser.add_argument("--lr", default=1e-4, type=float)
    parser.add_argument("--lr_backbone", default=1e-5, type=float)
    parser.add_argument("--backbone", default="resnet50", type=str)
    parser.add_argument("--masks", action="store_true", help="train the segmentation head")
    parser.add_argument("--output_dir", default="", help="empty: nothing is saved")
    parser.add_argument("--device", default="cuda")
    return parser


def main(args):
    utils.init_distributed_mode(args)


if __name__ == "__main__":
    parser = argparse.ArgumentParser("training script", parents=[get_args_parser()])
    args = parser.parse_args()
    if args.output_dir:
        Path(args.output_dir).mkdir(parents=True, exist_ok=True)
    main(args)
