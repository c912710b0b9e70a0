# LightningCLI of a class of the script's own.
from typing import Optional

import lightning.pytorch as pl
from lightning.pytorch.cli import LightningCLI
from torchmetrics import Accuracy


class Backbone(pl.LightningModule):
    def __init__(self, hidden_dim: int = 128, activation: str = "relu", pretrained: Optional[str] = None):
        super().__init__()
        self.accuracy = Accuracy("binary")


class Data(pl.LightningDataModule):
    def __init__(self, data_dir: str = "./", batch_size: int = 32, num_workers: int = 4):
        super().__init__()


class MyCLI(LightningCLI):
    def before_fit(self):
        print("begins")


def cli_main():
    MyCLI(Backbone, Data, save_config_callback=None)


if __name__ == "__main__":
    cli_main()
