# Subcommands with a common parent.
import argparse

common = argparse.ArgumentParser(add_help=False)
common.add_argument("--seed", type=int, default=0)

parser = argparse.ArgumentParser(prog="lab")
parser.add_argument("--verbose", action="store_true")
commands = parser.add_subparsers(dest="command", required=True)
train = commands.add_parser("train", parents=[common], help="trains")
train.add_argument("--lr", type=float, default=1e-3)
evaluate = commands.add_parser("evaluate", parents=[common])
evaluate.add_argument("checkpoint")
evaluate.add_argument("--lr", type=float, default=0.0)

if __name__ == "__main__":
    parser.parse_args()
