# SPDX-License-Identifier: GPL-3.0-or-later
"""Goes on from its checkpoint, but counts its steps from 0 again, as some loops do."""
import json
import os
import pickle
import sys
import time
import zipfile

resumed = os.environ.get("TRAINYARD_CHECKPOINT", "")
for step in range(10):
    with open(os.environ["TRAINYARD_METRICS"], "a") as file:
        file.write(json.dumps({"step": step, "train/loss": 1 / (step + 1)}) + "\n")
    if step == 5 and not resumed:
        with zipfile.ZipFile(os.path.join(sys.argv[1], "model_5.pt"), "w") as file:
            file.writestr("model/data.pkl", pickle.dumps({"step": 5}, 2))
        time.sleep(2.5)  # until it is told
    if step == 7 and not resumed:
        sys.exit(7)
    time.sleep(0.02)
