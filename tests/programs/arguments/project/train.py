# Functions and classes of other files of the project.
from options.train_options import TrainOptions
import options.more as more
from constants import *

EPOCHS = DEFAULT_EPOCHS

if __name__ == "__main__":
    options = TrainOptions()
    args = options.parse()
    more.unrelated()
