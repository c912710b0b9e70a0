# Three dataclasses; that of the trainer is the library's.
import logging
import sys
from dataclasses import dataclass, field
from typing import List, Optional

import datasets
import evaluate
import transformers
from transformers import AutoConfig, HfArgumentParser, TrainingArguments
from transformers.utils import check_min_version

check_min_version("4.45.0.dev0")
logger = logging.getLogger(__name__)


@dataclass
class DataTrainingArguments:
    dataset_name: Optional[str] = field(default=None, metadata={"help": "name of the dataset"})
    max_seq_length: int = field(default=128, metadata={"help": "longer ones are cut"})
    overwrite_cache: bool = field(default=False)
    text_columns: Optional[List[str]] = field(default=None)
    mixup: float = 0.0


@dataclass
class ModelArguments:
    model_name_or_path: str = field(metadata={"help": "a model or its folder"})
    model_revision: str = field(default="main")
    use_fast_tokenizer: bool = field(default=True)


def main():
    parser = HfArgumentParser((ModelArguments, DataTrainingArguments, TrainingArguments))
    if len(sys.argv) == 2 and sys.argv[1].endswith(".json"):
        model_args, data_args, training_args = parser.parse_json_file(json_file=sys.argv[1])
    else:
        model_args, data_args, training_args = parser.parse_args_into_dataclasses()


if __name__ == "__main__":
    main()
