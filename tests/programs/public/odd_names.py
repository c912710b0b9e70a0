# Names as people choose them.
import argparse

parser = argparse.ArgumentParser(prefix_chars="-+")
parser.add_argument("--model.hidden-size", type=int, default=64)
parser.add_argument("--model.act", default="gelu", dest="activation")
parser.add_argument("--weight_decay", "--weight-decay", "-wd", type=float, default=1e-2)
parser.add_argument("--Lernrate-für-Köpfe", type=float, default=3e-4)
parser.add_argument("--学习率", type=float, default=0.1, help="学习率")
parser.add_argument("--CamelCase", action="store_false")
parser.add_argument("-x", action="append", default=[])
parser.add_argument("+verbose", action="store_true")
parser.add_argument("--nan", type=float, default=float("nan"))
parser.add_argument("--inf", type=float, default=float("inf"))
parser.add_argument("--empty", default="")
parser.add_argument("--quoted", default='say "it\'s"')
args = parser.parse_args()
