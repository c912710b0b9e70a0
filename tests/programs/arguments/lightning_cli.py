# LightningCLI.
from lightning.pytorch.cli import LightningCLI


class Model:
    def __init__(self, width: int = 64, lr: float = 1e-3):
        self.width = width


class Data:
    def __init__(self, folder: str, batch_size: int = 32):
        self.folder = folder


def main():
    LightningCLI(Model, Data, save_config_callback=None)


if __name__ == "__main__":
    main()
