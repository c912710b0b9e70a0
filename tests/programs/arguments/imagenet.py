# In the manner of PyTorch's ImageNet example: a parser at the top, constants, a positional argument.
import argparse

MODELS = ["resnet18", "resnet50", "vit_b_16"]
OPTIMIZERS = {"sgd": object, "adamw": dict(), "lamb": None}
LR = 1e-1
WORKERS = 4

parser = argparse.ArgumentParser(description="ImageNet")
parser.add_argument("data", metavar="DIR", nargs="?", default="imagenet", help="path to the dataset")
parser.add_argument("-a", "--arch", metavar="ARCH", default="resnet18", choices=MODELS,
                    help="one of: " + " | ".join(MODELS) + " (default: resnet18)")
parser.add_argument("-j", "--workers", default=WORKERS, type=int, help="data loading"
                    " workers")
parser.add_argument("--optimizer", choices=sorted(OPTIMIZERS.keys()), default="sgd")
parser.add_argument("--lr", "--learning-rate", default=LR, type=float, dest="lr")
parser.add_argument("--wd", "--weight-decay", default=-1e-4, type=float, dest="weight_decay")
parser.add_argument("-e", "--evaluate", dest="evaluate", action="store_true")
parser.add_argument("--resume", default="", type=str, help="path of a checkpoint")
parser.add_argument("--world-size", default=-1, type=int, required=True)
parser.add_argument("--gpu", default=None, type=int)
parser.add_argument("--level", type=int, choices=range(1, 4), default=2)
parser.add_argument("-v", action="count", default=0)
parser.add_argument("--tag", action="append")

if __name__ == "__main__":
    args = parser.parse_args()
