# SPDX-License-Identifier: GPL-3.0-or-later
"""ASHA as a loop in Python over the trainings of schedulers.py, or random search where factor=0.

    asha_loop.py seconds=S [seed=1] [epochs=12] [limit=12000] [factor=3] [processes=2] [data=FOLDER]

Tuned: the data is one normalised tensor that forked processes share, each has one thread, and a rung is a list in shared
memory. The time counts from when all of that stands. No trial begins after it, and those that train are cut off.
Prints one line of JSON: the best accuracy, how many trials, and the epochs of all of them.
"""
import gzip
import json
import math
import multiprocessing
import os
import random
import sys
import time

import numpy
import torch

nn = torch.nn
args = dict(argument.split("=", 1) for argument in sys.argv[1:])


def option(name, default):
    return type(default)(args.get(name, default))


EPOCHS, LIMIT, FACTOR, SEED = option("epochs", 12), option("limit", 12000), option("factor", 3), option("seed", 1)
SECONDS, BATCH = float(args["seconds"]), 128
FOLDER = option("data", "/usr/share/datasets/fashion-mnist")


def tensors(part, limit):
    def read(name, offset):
        with gzip.open(os.path.join(FOLDER, f"{part}-{name}.gz")) as file:
            return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8, offset=offset)

    images, labels = read("images-idx3-ubyte", 16).reshape(-1, 784)[:limit], read("labels-idx1-ubyte", 8)[:limit]
    return (images.float() / 255 - 0.28604) / 0.32025, labels.long()


class Rungs:
    """Goes on unless worse than the best 1/factor of the losses that came to the rung before."""

    def __init__(self):
        self.lock = multiprocessing.Lock()
        self.at = {}
        epoch = 1
        while FACTOR > 1 and epoch < EPOCHS:
            self.at[epoch] = (multiprocessing.Value("i", 0), multiprocessing.Array("d", 100_000))
            epoch *= FACTOR

    def stops(self, epoch, accuracy):
        if epoch not in self.at:
            return False
        count, losses = self.at[epoch]
        with self.lock:
            before = numpy.frombuffer(losses.get_obj())[:count.value].copy()
            losses[count.value] = -accuracy
            count.value += 1
        return len(before) > 0 and -accuracy > numpy.quantile(before, 1 / FACTOR)


def train(trial, data, rungs, until):
    """Best accuracy of one trial, and the epochs that it has trained to their end."""
    drawn = random.Random(1000 * SEED + trial)
    torch.manual_seed(SEED)
    model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    rate, momentum = math.exp(drawn.uniform(math.log(1e-4), 0)), drawn.uniform(0, 0.99)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=momentum)
    loss_of, best = nn.CrossEntropyLoss(), 0.0
    (images, labels), (test_images, test_labels) = data
    for epoch in range(1, EPOCHS + 1):
        order = torch.randperm(len(images))
        for begin in range(0, len(images), BATCH):
            if time.monotonic() >= until:
                return best, epoch - 1
            chosen = order[begin:begin + BATCH]
            optimizer.zero_grad(set_to_none=True)
            loss_of(model(images[chosen]), labels[chosen]).backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(test_images).argmax(1) == test_labels).float().mean().item()
        best = max(best, accuracy)
        if rungs.stops(epoch, accuracy):
            return best, epoch
    return best, EPOCHS


def work(data, rungs, next_trial, until, results):
    torch.set_num_threads(1)
    best, trials, epochs = 0.0, 0, 0
    while time.monotonic() < until:
        with next_trial.get_lock():
            trial = next_trial.value
            next_trial.value += 1
        accuracy, trained = train(trial, data, rungs, until)
        best, trials, epochs = max(best, accuracy), trials + 1, epochs + trained
    results.put((best, trials, epochs))


def main():
    multiprocessing.set_start_method("fork")
    torch.set_num_threads(1)
    data = tensors("train", LIMIT), tensors("t10k", 10000)
    rungs, next_trial, results = Rungs(), multiprocessing.Value("i", 0), multiprocessing.Queue()
    until = time.monotonic() + SECONDS
    processes = [multiprocessing.Process(target=work, args=(data, rungs, next_trial, until, results))
                 for _ in range(option("processes", 2))]
    for process in processes:
        process.start()
    told = [results.get() for _ in processes]
    for process in processes:
        process.join()
    print(json.dumps({"best": max(best for best, _, _ in told), "trials": sum(trials for _, trials, _ in told),
                      "epochs": sum(epochs for _, _, epochs in told)}))


main()
