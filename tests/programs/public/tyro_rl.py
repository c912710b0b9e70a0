# Reinforcement learning: one flat dataclass with tyro.
import os
from dataclasses import dataclass
from typing import Literal, Optional

import gymnasium as gym
import torch.nn as nn
import tyro


@dataclass
class Args:
    exp_name: str = os.path.basename(__file__)[: -len(".py")]
    """the name of this experiment"""
    seed: int = 1
    """seed of the experiment"""
    track: bool = False
    wandb_entity: Optional[str] = None
    env_id: str = "CartPole-v1"
    learning_rate: float = 2.5e-4
    schedule: Literal["linear", "constant"] = "linear"
    target_kl: float | None = None
    total_timesteps: int = 500_000


class Agent(nn.Module):
    def __init__(self, envs):
        super().__init__()


if __name__ == "__main__":
    args = tyro.cli(Args)
    envs = gym.vector.SyncVectorEnv([])
