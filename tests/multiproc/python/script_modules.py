# SPDX-License-Identifier: GPL-3.0-or-later
"""TorchScript files as people save them, for samples of [1, 28, 28] and ten classes, or for text of 27 tokens.

FOLDER: writes each as NAME.pt.
"""
import os
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(784, 10)


class EvalRaises(Net):
    def forward(self, x):
        if not self.training:
            raise RuntimeError("not for inference")
        return self.out(x.flatten(1))


class EvalOneOnly(Net):
    def forward(self, x):
        if not self.training:
            assert x.size(0) == 1, "one picture at a time"
        return self.out(x.flatten(1))


class EvalArgmax(Net):
    def forward(self, x):
        y = self.out(x.flatten(1))
        if not self.training:
            y = y.argmax(1).float()
        return y


class TrainFails(Net):
    def forward(self, x):
        if self.training:
            x = x[:, :, 1:]
        return self.out(x.flatten(1))


class BackwardFails(Net):
    def forward(self, x):
        y = torch.sigmoid(self.out(x.flatten(1)))
        y.add_(1.0)
        return y


class TwoInputs(Net):
    def forward(self, x, mask):
        return self.out(x.flatten(1)) * mask


class Squeeze(Net):
    def forward(self, x):
        return self.out(x.flatten(1)).squeeze()


class BatchStatistics(Net):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(784, track_running_stats=False)

    def forward(self, x):
        return self.out(self.norm(x.flatten(1)))


class Noise(Net):
    def forward(self, x):
        return self.out((x + 0.1 * torch.randn_like(x)).flatten(1))


class AlwaysDropout(Net):
    def forward(self, x):
        return self.out(F.dropout(x.flatten(1), 0.2))


class InPlace(Net):
    def forward(self, x):
        x.sub_(0.5)
        return self.out(x.flatten(1))


class Counter(Net):
    """Counts its samples in every mode: the ranks' counters differ after a validation."""

    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.seen += x.size(0)
        return self.out(x.flatten(1))


class Spins(Net):
    """Without end, but only where it trains on a real batch."""

    def forward(self, x):
        while bool(x.size(0) > 3) and self.training and bool(x.mean() > -100.0):
            x = x + 0.0
        return self.out(x.flatten(1))


class After(Net):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))


class RaisesLater(After):
    def forward(self, x):
        self.calls += 1
        if float(self.calls) > 20.0:
            raise ValueError("too often")
        return self.out(x.flatten(1))


class FailsLater(After):
    def forward(self, x):
        self.calls += 1
        if float(self.calls) > 20.0:
            x = x[:, :, :5]
        return self.out(x.flatten(1))


class Functional(Net):
    def forward(self, x):
        return self.out(F.dropout(x.flatten(1), 0.5, self.training))


class Tokens(nn.Module):
    def __init__(self, known):
        super().__init__()
        self.embedding = nn.Embedding(known, 32)
        self.out = nn.Linear(32, 27)

    def forward(self, x):
        return self.out(self.embedding(x))


def layers():
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.5),
                         nn.Linear(64, 10))


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)

    def save(name, module):
        torch.jit.save(module, os.path.join(folder, name + ".pt"))

    scripts = {"eval_raises": EvalRaises(), "eval_one_only": EvalOneOnly(), "eval_argmax": EvalArgmax(),
               "train_fails": TrainFails(), "backward_fails": BackwardFails(), "two_inputs": TwoInputs(),
               "squeeze": Squeeze(), "batch_statistics": BatchStatistics(), "noise": Noise(),
               "always_dropout": AlwaysDropout(), "in_place": InPlace(), "counter": Counter(), "spins": Spins(),
               "raises_later": RaisesLater(), "fails_later": FailsLater(), "layers": layers(),
               "few_tokens": Tokens(20), "tokens": Tokens(27)}
    for kind in ("half", "double", "bfloat16"):
        scripts[kind] = getattr(layers(), kind)()
    for name, module in scripts.items():
        save(name, torch.jit.script(module))
    example = torch.rand(2, 1, 28, 28)
    traces = {"traced_eval": layers().eval(), "traced_train": layers().train(),
              "functional_eval": Functional().eval(), "functional_train": Functional().train(),
              "traced_plain": nn.Sequential(nn.Flatten(), nn.Linear(784, 10))}
    for name, module in traces.items():
        save(name, torch.jit.trace(module, example, check_trace=False))


main()
