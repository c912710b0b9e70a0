# Nested dataclasses of tyro.
import dataclasses

import tyro


@dataclasses.dataclass
class Optimizer:
    learning_rate: float = 3e-4
    """step size"""
    betas: tuple[float, float] = (0.9, 0.999)


@dataclasses.dataclass
class Config:
    seed: int
    optim: Optimizer = dataclasses.field(default_factory=Optimizer)
    use_amp: bool = True


if __name__ == "__main__":
    config = tyro.cli(Config)
