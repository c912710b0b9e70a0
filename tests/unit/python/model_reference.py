# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares models written in C++ with Python's: the same state dictionary must fit and give the same outputs.

usage: model_reference.py FOLDER. For each NAME.pt in it, a dictionary of tensors: "input", "output" and the weights under
"w.NAME"; for those listed in INITIAL the weights must also be what Python makes from seed 3. Prints a line per model.
"""
import pathlib
import sys

import torch
from torch import nn

try:
    import torchvision
except ImportError:
    torchvision = None


class SelfAttention(nn.MultiheadAttention):
    def __init__(self, width, heads):
        super().__init__(width, heads, batch_first=True)

    def forward(self, x):
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return super().forward(x, x, x, attn_mask=mask, need_weights=False)[0]


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = SelfAttention(width, heads)
        self.mlp = nn.Module()
        self.mlp.c_fc, self.mlp.c_proj = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp.c_proj(nn.functional.gelu(self.mlp.c_fc(self.ln_2(x))))


class Gpt(nn.Module):
    def __init__(self, length, tokens, width, depth, heads):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(tokens, width), nn.Embedding(length, width)
        self.h = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.ln_f, self.lm_head = nn.LayerNorm(width), nn.Linear(width, tokens, bias=False)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))


class Lstm(nn.Module):
    def __init__(self, features, hidden, layers, outputs, tokens=None):
        super().__init__()
        if tokens:
            self.embedding = nn.Embedding(tokens, features)
        self.lstm = nn.LSTM(features, hidden, layers, batch_first=True)
        self.fc = nn.Linear(hidden, outputs)

    def forward(self, x):
        if hasattr(self, "embedding"):
            return self.fc(self.lstm(self.embedding(x))[0])
        return self.fc(self.lstm(x.squeeze(1))[0][:, -1])


class Vgg(nn.Module):
    def __init__(self, channels, outputs):
        super().__init__()
        self.features = torchvision.models.vgg11_bn().features
        self.features[0] = nn.Conv2d(channels, 64, 3, padding=1)
        self.classifier = nn.Linear(512, outputs)

    def forward(self, x):
        return self.classifier(nn.functional.adaptive_avg_pool2d(self.features(x), 1).flatten(1))


MODELS = {
    "resnet18": lambda: torchvision.models.resnet18(num_classes=7),
    "resnet34": lambda: torchvision.models.resnet34(num_classes=7),
    "resnet50": lambda: torchvision.models.resnet50(num_classes=7),
    "mobilenet_v2": lambda: torchvision.models.mobilenet_v2(num_classes=7, width_mult=0.75),
    "efficientnet": lambda: torchvision.models.efficientnet_b1(num_classes=7),
    "convnext": lambda: torchvision.models.convnext.ConvNeXt(
        [torchvision.models.convnext.CNBlockConfig(16 * 2**i, 16 * 2 ** (i + 1) if i < 3 else None, n)
         for i, n in enumerate((3, 3, 2, 3))], 0.1, num_classes=7
    ),
    "vgg11": lambda: Vgg(3, 7),
    "vit": lambda: torchvision.models.VisionTransformer(
        image_size=32, patch_size=8, num_layers=2, num_heads=3, hidden_dim=48, mlp_dim=192, num_classes=7
    ),
    "gpt": lambda: Gpt(12, 20, 32, 2, 4),
    "lstm": lambda: Lstm(32, 16, 2, 7),
    "lstm-language": lambda: Lstm(8, 16, 1, 20, tokens=20),
}
INITIAL = {"resnet18", "resnet34", "resnet50", "mobilenet_v2", "efficientnet"}


def compare(path):
    if torchvision is None and path.stem not in {"gpt", "lstm", "lstm-language"}:
        return "skipped: no torchvision"
    tensors = torch.load(path, weights_only=False)
    weights = {name[2:]: tensor for name, tensor in tensors.items() if name.startswith("w.")}
    torch.manual_seed(3)
    model = MODELS[path.stem]()
    if path.stem in INITIAL:
        for name, tensor in model.state_dict().items():
            if not torch.equal(tensor, weights[name]):
                return f"{name} does not start from the same values"
    model.load_state_dict(weights)
    model.eval()
    with torch.no_grad():
        difference = (model(tensors["input"]) - tensors["output"]).abs().max().item()
    return "equal" if difference < 2e-5 else f"outputs differ by {difference}"


for file in sorted(pathlib.Path(sys.argv[1]).glob("*.pt")):
    print(file.stem, compare(file))
