# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the rate of each step that PyTorch's own schedulers give, one schedule a line: name, then the rates."""
import warnings

import torch
from torch.optim import lr_scheduler as s

warnings.simplefilter("ignore")
STEPS, PER_EPOCH, LR = 60, 6, 0.4


def rates(make, per_epoch=False):
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], lr=LR)
    schedule = make(optimizer)
    seen = []
    for step in range(STEPS):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if not per_epoch or (step + 1) % PER_EPOCH == 0:
            schedule.step()
    return seen


def show(name, values):
    print(name, *(repr(value) for value in values))


show("step", rates(lambda o: s.StepLR(o, 3, 0.5), per_epoch=True))
show("multi-step", rates(lambda o: s.MultiStepLR(o, [2, 5, 9], 0.3), per_epoch=True))
show("cosine", rates(lambda o: s.CosineAnnealingLR(o, STEPS, eta_min=0.01)))
show("one-cycle", rates(lambda o: s.OneCycleLR(o, LR, total_steps=STEPS, pct_start=0.25, div_factor=10,
                                               final_div_factor=100, cycle_momentum=False)))
show("exponential", rates(lambda o: s.ExponentialLR(o, (0.001 / LR) ** (1 / (STEPS - 1)))))
# The last epochs of the warm-up overlap with nothing: 12 steps from lr / 12 to lr.
show("warm-up", rates(lambda o: s.LinearLR(o, 1 / 12, 1.0, total_iters=11)))

weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([weight], lr=LR)
plateau = s.ReduceLROnPlateau(optimizer, factor=0.5, patience=2, threshold=0.01, cooldown=1, min_lr=0.05)
values = [5, 4, 4, 3.99, 3.98, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2.99, 3, 3, 3, 3, 3]
seen = []
for value in values:
    plateau.step(value)
    seen.append(optimizer.param_groups[0]["lr"])
show("plateau", seen)
