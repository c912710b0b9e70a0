import argparse

from constants import NAMES


class BaseOptions:
    def initialize(self, parser):
        parser.add_argument("--name", type=str, default="experiment", help="name of the experiment")
        parser.add_argument("--schedule", choices=NAMES, default=NAMES)
        return parser

    def parse(self):
        parser = argparse.ArgumentParser()
        parser = self.initialize(parser)
        return parser.parse_args()
