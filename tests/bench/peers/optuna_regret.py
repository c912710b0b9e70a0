# SPDX-License-Identifier: GPL-3.0-or-later
"""The regret of Optuna's samplers on the problems of sweep_bench.cpp, in the same form: optuna_regret.py [seeds].

Debian 12 has it as python3-optuna (3.1); /usr/bin/python3 finds it there.
"""
import csv
import math
import os
import random
import sys
import time
import warnings

warnings.filterwarnings("ignore")
import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)

SCALE = [[10, 3, 17, 3.5, 1.7, 8], [.05, 10, 17, .1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, .05, 10, .1, 14]]
AT = [[.1312, .1696, .5569, .0124, .8283, .5886], [.2329, .4135, .8307, .3736, .1004, .9991],
      [.2348, .1451, .3522, .2883, .3047, .6650], [.4047, .8828, .8732, .5743, .1091, .0381]]
HEIGHT = [1, 1.2, 3, 3.2]


def branin(u):
    x, y = -5 + 15 * u[0], 15 * u[1]
    a = y - 5.1 / (4 * math.pi ** 2) * x * x + 5 / math.pi * x - 6
    return a * a + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10 - 0.397887


def hartmann6(u):
    away = [sum(s * (x - p) ** 2 for s, x, p in zip(SCALE[i], u, AT[i])) for i in range(4)]
    return 3.32237 - sum(h * math.exp(-a) for h, a in zip(HEIGHT, away))


def rosenbrock4(u):
    x = [-5 + 15 * q for q in u]
    return sum(100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2 for i in range(3))


def read_table():
    """Points of accuracy below the best training, by the numbers of its levels; how many levels each axis has."""
    with open(os.path.join(os.path.dirname(__file__), "..", "fashion_mnist_table.csv"), encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    levels = [len(set(column)) for column in list(zip(*rows))[:-1]]
    accuracies = [float(row[-1]) for row in rows]
    best = max(accuracies)

    def regret(at):
        row = 0
        for place, count in zip(at, levels):
            row = row * count + place
        return 100 * (best - accuracies[row])

    return regret, levels


TABLE, LEVELS = read_table()
# Name, function, levels of each axis (0: all between 0 and 1), trials, standard deviation of the noise.
PROBLEMS = [("Branin", branin, [0] * 2, 100, 0), ("Hartmann-6", hartmann6, [0] * 6, 100, 0),
            ("Rosenbrock-4", rosenbrock4, [0] * 4, 200, 0), ("Hartmann-6 n", hartmann6, [0] * 6, 100, 0.1),
            ("Fashion-MNIST", TABLE, LEVELS, 50, 0)]
SAMPLERS = [("default", lambda seed: optuna.samplers.TPESampler(seed=seed)),
            ("multivariate", lambda seed: optuna.samplers.TPESampler(seed=seed, multivariate=True))]


def place(trial, axis, count):
    return trial.suggest_float(f"x{axis}", 0, 1) if count == 0 else trial.suggest_int(f"x{axis}", 0, count - 1)


def regret_of(sampler, seed, function, levels, trials, noise):
    """The true regret of what seems best."""
    drawn = random.Random(seed)
    study = optuna.create_study(sampler=sampler)

    def tell(trial):
        value = function([place(trial, axis, count) for axis, count in enumerate(levels)])
        trial.set_user_attr("true", value)
        return value + (drawn.gauss(0, noise) if noise else 0)

    study.optimize(tell, n_trials=trials)
    return study.best_trial.user_attrs["true"]


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    for name, function, levels, trials, noise in PROBLEMS:
        for sampler, make in SAMPLERS:
            begin = time.time()
            bests = [regret_of(make(seed), seed, function, levels, trials, noise) for seed in range(1, seeds + 1)]
            each = (time.time() - begin) / seeds / trials * 1e3
            bests.sort()
            n = len(bests)
            print(f"{name:13} {'optuna ' + sampler:20} {trials:3} trials  median {bests[n // 2]:<9.3g} quartiles "
                  f"{bests[n // 4]:<9.3g} {bests[3 * n // 4]:<9.3g} {each:7.2f} ms a trial", flush=True)


if __name__ == "__main__":
    main()
