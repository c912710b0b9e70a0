# Subcommands with a common parent; one of them has subcommands of its own.
import argparse

parent = argparse.ArgumentParser(add_help=False)
parent.add_argument("--device", default="cpu")
parser = argparse.ArgumentParser()
parser.add_argument("--quiet", action="store_true")
commands = parser.add_subparsers(dest="command", required=True)
train = commands.add_parser("train", parents=[parent])
train.add_argument("--lr", type=float, default=0.01)
train.set_defaults(lr=0.02)
data = commands.add_parser("data")
kinds = data.add_subparsers(dest="kind")
download = kinds.add_parser("download")
download.add_argument("--mirror", default="eu")
check = kinds.add_parser("check", parents=[parent])
check.add_argument("files", nargs="+")

if __name__ == "__main__":
    args = parser.parse_args()
