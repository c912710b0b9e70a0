# Options in classes, and of a model that is chosen by an option: parsed three times.
import argparse

import torch


class PixModel:
    @staticmethod
    def modify_commandline_options(parser, is_train=True):
        parser.set_defaults(norm="batch", netG="unet_256")
        if is_train:
            parser.add_argument("--lambda_L1", type=float, default=100.0, help="weight of the L1 loss")
        return parser


def get_option_setter(name):
    return {"pix": PixModel}[name].modify_commandline_options


class BaseOptions:
    def initialize(self, parser):
        parser.add_argument("--dataroot", required=True, help="path to images")
        parser.add_argument("--gpu_ids", type=str, default="0")
        parser.add_argument("--model", type=str, default="pix")
        parser.add_argument("--norm", type=str, default="instance")
        parser.add_argument("--netG", type=str, default="resnet_9blocks")
        return parser

    def gather_options(self):
        parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
        parser = self.initialize(parser)
        opt, _ = parser.parse_known_args()
        parser = get_option_setter(opt.model)(parser, self.is_train)
        opt, _ = parser.parse_known_args()
        self.parser = parser
        return parser.parse_args()


class TrainOptions(BaseOptions):
    is_train = True

    def initialize(self, parser):
        parser = BaseOptions.initialize(self, parser)
        parser.add_argument("--lr", type=float, default=0.0002)
        parser.add_argument("--continue_train", action="store_true")
        return parser


if __name__ == "__main__":
    options = TrainOptions().gather_options()
    torch.cuda.set_device(0)
