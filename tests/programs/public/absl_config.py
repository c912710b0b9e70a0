# absl with a file of settings, as JAX's examples have it.
import jax
from absl import app, flags, logging
from clu import platform
from ml_collections import config_flags

FLAGS = flags.FLAGS

flags.DEFINE_string("workdir", None, "Directory to store model data.")
flags.DEFINE_integer("log_every", 50, "steps")
flags.DEFINE_multi_string("tags", ["base"], "words")
flags.DEFINE_boolean("profile", False, "writes a profile")
config_flags.DEFINE_config_file("config", None, "File path to the training configuration.", lock_config=True)


def main(argv):
    logging.info("JAX process: %d", jax.process_index())
    platform.work_unit()


if __name__ == "__main__":
    flags.mark_flags_as_required(["config", "workdir"])
    jax.config.config_with_absl()
    app.run(main)
