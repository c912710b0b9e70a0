# SPDX-License-Identifier: GPL-3.0-or-later
"""A script of plain Python: logistic regression on points of two clouds. It knows nothing of Trainyard but one line."""
import argparse
import math
import random

try:
    import trainyard  # is there inside a run
except ImportError:
    trainyard = None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lr", type=float, default=0.1, help="learning rate")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--points", type=int, default=500, help="in each of the two clouds")
    parser.add_argument("--distance", type=float, default=2.0, help="between the clouds")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    draw = random.Random(args.seed)
    points = [(draw.gauss(side * args.distance / 2, 1), draw.gauss(0, 1), (side + 1) / 2)
              for side in (-1, 1) for _ in range(args.points)]
    weight = [0.0, 0.0, 0.0]
    for step in range(1, args.steps + 1):
        slope, loss, right = [0.0, 0.0, 0.0], 0.0, 0
        for x, y, label in points:
            guess = 1 / (1 + math.exp(-(weight[0] * x + weight[1] * y + weight[2])))
            error = guess - label
            slope = [slope[0] + error * x, slope[1] + error * y, slope[2] + error]
            loss -= math.log(max(1e-12, guess if label else 1 - guess))
            right += (guess > 0.5) == (label > 0.5)
        weight = [w - args.lr * s / len(points) for w, s in zip(weight, slope)]
        loss, accuracy = loss / len(points), right / len(points)
        if step % 20 == 0:
            print(f"step {step}: loss {loss:.4f}, accuracy {accuracy:.3f}")
        if trainyard:
            trainyard.report({"train/loss": loss, "train/accuracy": accuracy}, step=step)


if __name__ == "__main__":
    main()
