# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints a metric and a count."""
import time

for step in range(1, 151):
    print(f"step {step} loss {1 / step:.4f} tokens={step * 32}", flush=True)
    time.sleep(0.02)
