# Flags of absl.
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_float("lr", 0.1, "learning rate")
flags.DEFINE_integer("steps", 10_000, "number of steps", lower_bound=1)
flags.DEFINE_enum("optimizer", "adam", ["adam", "sgd"], "which optimizer")
flags.DEFINE_bool("restore", False, help="continues")
flags.DEFINE_string("workdir", None, "where the files go")
flags.mark_flag_as_required("workdir")


def main(argv):
    print(FLAGS.lr)


if __name__ == "__main__":
    app.run(main)
