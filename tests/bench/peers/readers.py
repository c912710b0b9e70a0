# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's usual readers, once each; prints the seconds of processor time, without those of starting Python.

    readers.py csv FILE            pandas.read_csv; the seconds by the clock follow
    readers.py train FILE MODEL    SentencePiece learns 4,096 tokens of BPE, with one thread
    readers.py encode FILE MODEL   SentencePiece encodes the lines of the file
    readers.py plain FILE MERGES   byte-level BPE as GPT-2's encoder.py does it, in Python
    readers.py load FILE           torch.load
    readers.py write FILE          torch.save of a ResNet-50's names and shapes, with random numbers

Exit code 77: the package is not installed.
"""
import sys
import time


def bytes_to_unicode():
    known = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    letters, more = {byte: chr(byte) for byte in known}, 0
    for byte in range(256):
        if byte not in letters:
            letters[byte] = chr(256 + more)
            more += 1
    return letters


class Plain:
    """OpenAI's encoder of GPT-2, with the merges of a file."""

    def __init__(self, merges):
        import re
        self.letters = bytes_to_unicode()
        self.ranks = {tuple(line.split()): i for i, line in enumerate(merges.splitlines())}
        self.pieces = re.compile(r"""'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+""")
        self.cache = {}

    def parts(self, token):
        if token in self.cache:
            return self.cache[token]
        word = tuple(token)
        while len(word) > 1:
            pairs = set(zip(word, word[1:]))
            best = min(pairs, key=lambda pair: self.ranks.get(pair, float("inf")))
            if best not in self.ranks:
                break
            joined, i = [], 0
            while i < len(word):
                if i + 1 < len(word) and (word[i], word[i + 1]) == best:
                    joined.append(word[i] + word[i + 1])
                    i += 2
                else:
                    joined.append(word[i])
                    i += 1
            word = tuple(joined)
        self.cache[token] = word
        return word

    def encode(self, text):
        return [part for piece in self.pieces.findall(text)
                for part in self.parts("".join(self.letters[byte] for byte in piece.encode()))]


def resnet50():
    """Names and shapes as torchvision has them."""
    shapes = {"conv1.weight": (64, 3, 7, 7)}

    def norm(name, size):
        for part in ("weight", "bias", "running_mean", "running_var"):
            shapes[f"{name}.{part}"] = (size,)
        shapes[f"{name}.num_batches_tracked"] = ()

    norm("bn1", 64)
    wide = 64
    for layer, (blocks, size) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512)), 1):
        for block in range(blocks):
            name = f"layer{layer}.{block}"
            for i, shape in enumerate(((size, wide, 1, 1), (size, size, 3, 3), (4 * size, size, 1, 1)), 1):
                shapes[f"{name}.conv{i}.weight"] = shape
                norm(f"{name}.bn{i}", shape[0])
            if block == 0:
                shapes[f"{name}.downsample.0.weight"] = (4 * size, wide, 1, 1)
                norm(f"{name}.downsample.1", 4 * size)
            wide = 4 * size
    shapes["fc.weight"], shapes["fc.bias"] = (1000, 2048), (1000,)
    return shapes


def main(what, file, other=None):
    if what == "csv":
        import pandas
        begin, clock = time.process_time(), time.monotonic()
        pandas.read_csv(file)
        print(time.process_time() - begin, time.monotonic() - clock)
        return
    elif what in ("train", "encode"):
        import sentencepiece
        if what == "encode":
            model = sentencepiece.SentencePieceProcessor(model_file=other + ".model")
        begin = time.process_time()
        if what == "train":
            sentencepiece.SentencePieceTrainer.train(
                input=file, model_prefix=other, model_type="bpe", vocab_size=4096, num_threads=1,
                input_sentence_size=0, max_sentence_length=1 << 20, minloglevel=2)
        else:
            with open(file, encoding="utf-8") as lines:
                for line in lines:
                    model.encode(line)
    elif what == "plain":
        with open(other, encoding="utf-8") as merges:
            encoder = Plain(merges.read())
        begin = time.process_time()
        with open(file, encoding="utf-8") as text:
            encoder.encode(text.read())
    else:
        import torch
        torch.set_num_threads(1)
        begin = time.process_time()
        if what == "load":
            torch.load(file, map_location="cpu")
        else:
            torch.save({name: torch.zeros(shape, dtype=torch.int64) if shape == () else torch.randn(shape)
                        for name, shape in resnet50().items()}, file)
    print(time.process_time() - begin)


try:
    main(*sys.argv[1:])
except ImportError:
    sys.exit(77)
