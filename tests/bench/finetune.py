#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fine-tunes on a few pictures of new classes beside training from scratch, and compares them on held-out pictures.

    finetune.py [pairs=5] [shots=12] [folder=FOLDER]    TRAINYARD_BIN=build/bin

A small VGG first learns twenty kinds of drawn pictures, each a shape with a texture in random colours, place and
size on a noisy ground. Ten other kinds, `shots` pictures of each, are then learned from those weights and from scratch,
with the same seeds, epochs and augmentation, each at a learning rate that suits it; 600 pictures that neither saw judge
both. Seconds are from the command to its end.
"""
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

from PIL import Image, ImageDraw

SIDE = 32
SHAPES = ("circle", "square", "triangle", "cross", "ring")
TEXTURES = ("plain", "stripes", "bars", "checks", "dots", "grid")


def shape_mask(shape, middle, size):
    mask = Image.new("L", (SIDE, SIDE))
    draw = ImageDraw.Draw(mask)
    x, y = middle
    box = (x - size, y - size, x + size, y + size)
    if shape in ("circle", "ring"):
        draw.ellipse(box, fill=255)
        if shape == "ring":
            draw.ellipse((x - size / 2, y - size / 2, x + size / 2, y + size / 2), fill=0)
    elif shape == "square":
        draw.rectangle(box, fill=255)
    elif shape == "triangle":
        draw.polygon([(x, y - size), (x - size, y + size), (x + size, y + size)], fill=255)
    else:
        draw.rectangle((x - size / 3, y - size, x + size / 3, y + size), fill=255)
        draw.rectangle((x - size, y - size / 3, x + size, y + size / 3), fill=255)
    return mask


def is_light(texture, x, y):
    return {"plain": True, "stripes": y // 2 % 2 == 0, "bars": x // 2 % 2 == 0,
            "checks": (x // 3 + y // 3) % 2 == 0, "dots": x % 4 < 2 and y % 4 < 2,
            "grid": x % 4 == 0 or y % 4 == 0}[texture]


def picture(kind, draws):
    shape, texture = kind
    ground, light, dark = ([draws.randrange(256) for _ in range(3)] for _ in range(3))
    mask = shape_mask(shape, (draws.uniform(12, 20), draws.uniform(12, 20)), draws.uniform(8, 11)).load()
    image = Image.new("RGB", (SIDE, SIDE))
    pixels = image.load()
    for y in range(SIDE):
        for x in range(SIDE):
            colour = (light if is_light(texture, x, y) else dark) if mask[x, y] else ground
            pixels[x, y] = tuple(max(0, min(255, round(c + draws.gauss(0, 20)))) for c in colour)
    return image


def write_pictures(folder, kinds, counts, seed):
    draws = random.Random(seed)
    for part, count in counts.items():
        for kind in kinds:
            to = folder / part / "-".join(kind)
            to.mkdir(parents=True, exist_ok=True)
            for number in range(count):
                picture(kind, draws).save(to / f"{number}.png")


def run(folder, name, settings, weights=None):
    """The result of a run."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps({
        "version": 1, "name": name, "schedule": {"name": "cosine", "warmupEpochs": 1},
        "batch": {"perRank": 32}, "augment": {"flip": True, "crop": 2},
        "model": {"name": "vgg11", "params": {"width": 16}, **({"weights": {"file": weights}} if weights else {})},
        "checkpoint": {"everyEpochs": 1, "keep": 1, "scoreBy": "val/accuracy"},
        "scaling": {"workers": 1, "threadsPerWorker": 2}, **settings}))
    program = os.path.join(os.environ.get("TRAINYARD_BIN", "build/bin"), "trainyardctl")
    done = subprocess.run([program, "run", str(file), "--workspace", str(folder / "workspace"), "--json"],
                          stdout=subprocess.PIPE, text=True)
    result = json.loads(done.stdout)
    if result.get("status") != "finished":
        sys.exit(done.stdout)
    return result


def main():
    args = dict(argument.split("=", 1) for argument in sys.argv[1:])
    pairs, shots = int(args.get("pairs", 5)), int(args.get("shots", 12))
    folder = pathlib.Path(args.get("folder", "/var/tmp/finetune"))
    kinds = [(shape, texture) for shape in SHAPES for texture in TEXTURES]
    random.Random(0).shuffle(kinds)
    known, new = folder / "known", folder / f"new-{shots}"
    if not known.exists():
        write_pictures(known, kinds[:20], {"train": 150, "val": 20}, 1)
    if not new.exists():
        write_pictures(new, kinds[20:], {"train": shots, "val": 10, "test": 60}, 2)

    shutil.rmtree(folder / "workspace", ignore_errors=True)
    body = folder / "known.safetensors"
    body.unlink(missing_ok=True)

    def dataset(of):
        return {"name": "images", "params": {"folder": str(of), "width": SIDE, "height": SIDE}}

    run(folder, "known", {"dataset": dataset(known), "epochs": 12, "optimizer": {"name": "adamw", "lr": 0.004}})
    program = os.path.join(os.environ.get("TRAINYARD_BIN", "build/bin"), "trainyardctl")
    subprocess.run([program, "export", "known", "--workspace", str(folder / "workspace"), "--format", "safetensors",
                    "--out", str(body)], check=True, stdout=subprocess.DEVNULL)
    found = {"fine-tuned": [], "from scratch": []}
    for seed in range(pairs):
        common = {"dataset": dataset(new), "epochs": 30, "seed": seed}
        for name, rate, weights in (("fine-tuned", 0.002, str(body)), ("from scratch", 0.004, None)):
            started = time.time()
            result = run(folder, f"{name.replace(' ', '-')}-{seed}",
                         {**common, "optimizer": {"name": "adamw", "lr": rate}}, weights)
            found[name].append((result["metrics"]["test/accuracy"], time.time() - started))
    print(f"{shots} pictures of each of 10 classes, {pairs} pairs; accuracy on 600 held-out pictures")
    for name, results in found.items():
        accuracies, seconds = zip(*results)
        print(f"{name:13} {statistics.median(accuracies):.3f} ({min(accuracies):.3f} to {max(accuracies):.3f}), "
              f"{statistics.median(seconds):.1f} s")


main()
