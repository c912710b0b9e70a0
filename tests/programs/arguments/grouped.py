# Groups, negatable switches, text booleans, defaults set later.
import argparse


def str2bool(text):
    return text.lower() in ("yes", "true", "1")


def add_model(parser):
    group = parser.add_argument_group("model", "what is trained")
    group.add_argument("--width", type=int, default=64)
    group.add_argument("--amp", action=argparse.BooleanOptionalAction, default=True, help="mixed precision")
    group.add_argument("--ema", type=str2bool, default=False)
    return parser


def build_parser():
    parser = argparse.ArgumentParser()
    parser = add_model(parser)
    data = parser.add_argument_group(title="data")
    data.add_argument("input", nargs="+", help="files")
    data.add_argument("--val", dest="validation", metavar="FILE")
    only = data.add_mutually_exclusive_group(required=True)
    only.add_argument("--shuffle", action="store_true")
    only.add_argument("--no-shuffle", dest="shuffle", action="store_false")
    parser.set_defaults(width=128)
    return parser


if __name__ == "__main__":
    build_parser().parse_args()
