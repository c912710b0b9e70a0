# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes steps until it is told to stop, which it asks after each of them, and says after which step that was."""
import os
import time

import trainyard


def a_step_of_training():
    time.sleep(0.01)


context = trainyard.context()
for step in range(1, 100_000):
    a_step_of_training()
    trainyard.report({"train/loss": 1 / step}, step=step)
    if trainyard.should_stop():
        with open(os.path.join(context.output, "stopped%d" % context.rank), "w") as file:
            file.write(str(step))
        break
