# SPDX-License-Identifier: GPL-3.0-or-later
"""optimizer_steps.py IN OUT KIND key=value...: takes the steps that IN's gradients ask for with Python's own optimizer.

split=True puts the second parameter, a bias, into a group without weight decay."""
import sys
import torch



class Lion(torch.optim.Optimizer):
    """As published (arXiv:2302.06675, program 1); PyTorch has none."""

    def __init__(self, parameters, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.1):
        super().__init__(parameters, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            (beta1, beta2), rate = group["betas"], group["lr"]
            for weights in group["params"]:
                average = self.state[weights].setdefault("average", torch.zeros_like(weights))
                direction = average.mul(beta1).add_(weights.grad, alpha=1 - beta1).sign()
                average.mul_(beta2).add_(weights.grad, alpha=1 - beta2)
                weights.mul_(1 - rate * group["weight_decay"]).add_(direction, alpha=-rate)


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
        "adagrad": torch.optim.Adagrad, "lion": Lion}[kind]
groups = [{"params": parameters[:1]}, {"params": parameters[1:], "weight_decay": 0.0}] if split else parameters
optimizer = make(groups, **settings)
for step in range(tensors["g0"].shape[0]):
    parameters[0].grad = tensors["g0"][step].clone()
    parameters[1].grad = tensors["g1"][step].clone()
    optimizer.step()
with open(target, "wb") as out:
    for parameter in parameters:
        out.write(parameter.detach().numpy().tobytes())
