# In the manner of Hugging Face's examples: dataclasses.
from dataclasses import dataclass, field
from enum import Enum
from typing import List, Literal, Optional

from transformers import HfArgumentParser, TrainingArguments


class Schedule(Enum):
    LINEAR = "linear"
    COSINE = "cosine"


@dataclass
class ModelArguments:
    model_name: str = field(metadata={"help": "name of the model, or its folder"})
    revision: Optional[str] = field(default="main")
    schedule: Schedule = "linear"
    dropout: float = field(default=0.1, metadata={"help": "share of " "units"})


@dataclass
class DataArguments:
    splits: List[str] = field(default_factory=lambda: ["train", "test"])
    precision: Literal["fp32", "bf16"] = "bf16"
    limit: int | None = None
    stream: bool = False


if __name__ == "__main__":
    parser = HfArgumentParser((ModelArguments, DataArguments, TrainingArguments))
    model, data, training = parser.parse_args_into_dataclasses()
