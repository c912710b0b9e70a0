# In the manner of nanoGPT: the variables of the script, which configurator.py sets.
import os

out_dir = "out"
eval_interval = 2000
learning_rate = 6e-4
decay_lr = True
device = "cuda" if os.environ.get("GPU") else "cpu"
_private = 1
betas = (0.9, 0.95)
config_keys = [k for k, v in globals().items() if isinstance(v, (int, float, bool, str))]
exec(open("configurator.py").read())
config = {k: globals()[k] for k in config_keys}
print(learning_rate)
