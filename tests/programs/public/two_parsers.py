# Two parsers: one for the data, which leaves the rest to the other.
import argparse
import sys

import torchvision


def main():
    data = argparse.ArgumentParser("data", add_help=False)
    data.add_argument("--root", default="data", help="folder of the data")
    data.add_argument("--image-size", type=int, default=224)
    data_args, rest = data.parse_known_args(sys.argv[1:])

    train = argparse.ArgumentParser("train")
    train.add_argument("--epochs", type=int, default=90)
    train.add_argument("--optimizer", choices=("sgd", "lamb"), default="sgd")
    args = train.parse_args(rest)
    print(torchvision.datasets.FakeData(image_size=(3, data_args.image_size)), args)


main()
