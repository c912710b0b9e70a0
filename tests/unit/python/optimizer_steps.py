# SPDX-License-Identifier: GPL-3.0-or-later
"""optimizer_steps.py IN OUT KIND key=value...: takes the steps that IN's gradients ask for with Python's own optimizer.

split=True puts the second parameter, a bias, into a group without weight decay."""
import sys
import torch

source, target, kind, *options = sys.argv[1:]
tensors = torch.load(source, weights_only=False)
settings = {}
for option in options:
    key, value = option.split("=")
    settings[key] = {"True": True, "False": False}.get(value) if value in ("True", "False") else float(value)
if "beta1" in settings:
    settings["betas"] = (settings.pop("beta1"), settings.pop("beta2"))
parameters = [torch.nn.Parameter(tensors["p0"]), torch.nn.Parameter(tensors["p1"])]
split = settings.pop("split", False)
make = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "rmsprop": torch.optim.RMSprop,
        "adagrad": torch.optim.Adagrad}[kind]
groups = [{"params": parameters[:1]}, {"params": parameters[1:], "weight_decay": 0.0}] if split else parameters
optimizer = make(groups, **settings)
for step in range(tensors["g0"].shape[0]):
    parameters[0].grad = tensors["g0"][step].clone()
    parameters[1].grad = tensors["g1"][step].clone()
    optimizer.step()
with open(target, "wb") as out:
    for parameter in parameters:
        out.write(parameter.detach().numpy().tobytes())
