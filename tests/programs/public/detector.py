# Detection: defaults are paths below the script's folder.
import argparse
import os
import sys
from pathlib import Path

import torch

FILE = Path(__file__).resolve()
ROOT = FILE.parents[0]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))
LOCAL_RANK = int(os.getenv("LOCAL_RANK", -1))


def parse_opt(known=False):
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", type=str, default=ROOT / "small.pt", help="initial weights")
    parser.add_argument("--hyp", type=str, default=ROOT / "data/hyps/low.yaml")
    parser.add_argument("--imgsz", "--img", "--img-size", type=int, default=640)
    parser.add_argument("--rect", action="store_true")
    parser.add_argument("--resume", nargs="?", const=True, default=False, help="resume the latest training")
    parser.add_argument("--cache", type=str, nargs="?", const="ram")
    parser.add_argument("--optimizer", type=str, choices=["SGD", "Adam"], default="SGD")
    parser.add_argument("--freeze", nargs="+", type=int, default=[0])
    parser.add_argument("--local_rank", type=int, default=-1)
    return parser.parse_known_args()[0] if known else parser.parse_args()


def main(opt):
    torch.save(opt, "x")


if __name__ == "__main__":
    opt = parse_opt()
    main(opt)
