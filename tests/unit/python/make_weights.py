# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of weights as programs write them, and what their models put out: make_weights.py FOLDER

Prints what is there as JSON: {"torchvision": true}. Each NAME.pth has an answer beside it, NAME.answer.pt, of
{"input": ..., "output": ...}.
"""
import argparse
import collections
import json
import math
import os
import sys

import torch

folder = sys.argv[1]
torch.manual_seed(3)


def put(name, saved, model_input, output, **how):
    torch.save(saved, os.path.join(folder, name + ".pth"), **how)
    torch.save({"input": model_input, "output": output}, os.path.join(folder, name + ".answer.pt"))


def answer(model, x):
    model.eval()
    with torch.no_grad():
        return model(x)


def settled(model, x):
    """With running statistics that are not those of a new model."""
    model.train()
    with torch.no_grad():
        model(x)
    return model


def gpt2():
    vocabulary, length, width, layers, heads = 50, 24, 32, 2, 4
    d = {"wte.weight": torch.randn(vocabulary, width) * 0.2, "wpe.weight": torch.randn(length, width) * 0.1,
         "ln_f.weight": 1 + torch.randn(width) * 0.1, "ln_f.bias": torch.randn(width) * 0.1}
    for i in range(layers):
        p = f"h.{i}."
        for n in ("ln_1", "ln_2"):
            d[p + n + ".weight"], d[p + n + ".bias"] = 1 + torch.randn(width) * 0.1, torch.randn(width) * 0.1
        for n, a, b in (("attn.c_attn", width, 3 * width), ("attn.c_proj", width, width),
                        ("mlp.c_fc", width, 4 * width), ("mlp.c_proj", 4 * width, width)):
            d[p + n + ".weight"], d[p + n + ".bias"] = torch.randn(a, b) * 0.2, torch.randn(b) * 0.1
        d[p + "attn.bias"] = torch.ones(1, 1, length, length).tril()
        d[p + "attn.masked_bias"] = torch.tensor(-1e4)
    x = torch.randint(0, vocabulary, (2, 16))
    f = torch.nn.functional
    h = d["wte.weight"][x] + d["wpe.weight"][:16]
    for i in range(layers):
        p = f"h.{i}."
        a = f.layer_norm(h, (width,), d[p + "ln_1.weight"], d[p + "ln_1.bias"], 1e-5)
        q, k, v = [t.view(2, 16, heads, width // heads).transpose(1, 2)
                   for t in (a @ d[p + "attn.c_attn.weight"] + d[p + "attn.c_attn.bias"]).split(width, -1)]
        s = q @ k.transpose(-1, -2) / math.sqrt(width // heads)
        s = s.masked_fill(torch.ones(16, 16, dtype=torch.bool).triu(1), -math.inf)
        y = (s.softmax(-1) @ v).transpose(1, 2).reshape(2, 16, width)
        h = h + y @ d[p + "attn.c_proj.weight"] + d[p + "attn.c_proj.bias"]
        a = f.layer_norm(h, (width,), d[p + "ln_2.weight"], d[p + "ln_2.bias"], 1e-5)
        a = a @ d[p + "mlp.c_fc.weight"] + d[p + "mlp.c_fc.bias"]
        a = 0.5 * a * (1 + torch.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a ** 3)))
        h = h + a @ d[p + "mlp.c_proj.weight"] + d[p + "mlp.c_proj.bias"]
    out = f.layer_norm(h, (width,), d["ln_f.weight"], d["ln_f.bias"], 1e-5) @ d["wte.weight"].t()
    put("gpt2", {"transformer." + n: t for n, t in d.items()}, x, out)


def timm_names(name):
    for a, b in (("class_token", "cls_token"), ("encoder.pos_embedding", "pos_embed"),
                 ("conv_proj.", "patch_embed.proj."),
                 ("encoder.layers.encoder_layer_", "blocks."), (".ln_1.", ".norm1."), (".ln_2.", ".norm2."),
                 ("self_attention.in_proj_", "attn.qkv."), ("self_attention.out_proj.", "attn.proj."),
                 ("mlp.0.", "mlp.fc1."), ("mlp.3.", "mlp.fc2."), ("mlp.linear_1.", "mlp.fc1."),
                 ("mlp.linear_2.", "mlp.fc2."), ("encoder.ln.", "norm."), ("heads.head.", "head.")):
        name = name.replace(a, b)
    return name


def face_names(state):
    out = {}
    for name, value in state.items():
        if "in_proj_" in name:
            base = name.replace("encoder.layers.encoder_layer_", "encoder.layer.")
            base, kind = base.split("self_attention.in_proj_")
            for part, each in zip(("query", "key", "value"), value.chunk(3)):
                out["vit." + base + "attention.attention." + part + "." + kind] = each.clone()
            continue
        for a, b in (("class_token", "embeddings.cls_token"),
                     ("encoder.pos_embedding", "embeddings.position_embeddings"),
                     ("conv_proj.", "embeddings.patch_embeddings.projection."),
                     ("encoder.layers.encoder_layer_", "encoder.layer."), (".ln_1.", ".layernorm_before."),
                     (".ln_2.", ".layernorm_after."), ("self_attention.out_proj.", "attention.output.dense."),
                     ("mlp.0.", "intermediate.dense."), ("mlp.3.", "output.dense."),
                     ("mlp.linear_1.", "intermediate.dense."), ("mlp.linear_2.", "output.dense."),
                     ("encoder.ln.", "layernorm.")):
            name = name.replace(a, b)
        out[name.replace("heads.head.", "classifier.") if name.startswith("heads") else "vit." + name] = value
    return out


def torchvisions():
    from torchvision import models
    from torchvision.models.vision_transformer import VisionTransformer
    small, tiny = torch.randn(4, 3, 64, 64), torch.randn(2, 3, 32, 32)
    net = settled(models.resnet18(weights=None), small)
    put("resnet18", net.state_dict(), tiny, answer(net, tiny))
    optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    net(small).sum().backward()
    optimizer.step()
    torch.save(optimizer.state_dict(), os.path.join(folder, "optimizer.pth"))
    # As a training program writes it: references, DataParallel's names, an average of the weights, code of its own.
    average = {"module." + n: t * 0 + (1 if n.endswith("running_var") else 0) for n, t in net.state_dict().items()}
    put("references", {"model": {"module." + n: t for n, t in net.state_dict().items()}, "epoch": 3,
                       "optimizer": optimizer.state_dict(), "args": argparse.Namespace(lr=0.1)},
        tiny, answer(net, tiny))
    torch.save({"state_dict": net.state_dict(), "state_dict_ema": average}, os.path.join(folder, "average.pth"))
    torch.save(net, os.path.join(folder, "whole_module.pth"))
    torch.save({"input": tiny, "output": answer(net, tiny)}, os.path.join(folder, "whole_module.answer.pt"))
    for name, make, type_ in (("resnet34", models.resnet34, torch.half), ("resnet50", models.resnet50, torch.bfloat16)):
        net = settled(make(weights=None), small).to(type_)
        state = collections.OrderedDict(net.state_dict())
        put(name, state, tiny, answer(net.float(), tiny))
    net = settled(models.mobilenet_v2(weights=None), small)
    put("mobilenet_v2", net.state_dict(), tiny, answer(net, tiny), _use_new_zipfile_serialization=False)
    net = settled(models.efficientnet_b0(weights=None), small)
    put("efficientnet", net.state_dict(), tiny, answer(net, tiny))
    sizes = [models.convnext.CNBlockConfig(w, 2 * w if w < 192 else None, 3 if w != 96 else 2) for w in (24, 48, 96, 192)]
    net = settled(models.convnext.ConvNeXt(sizes), small)
    put("convnext", net.state_dict(), tiny, answer(net, tiny))
    net = VisionTransformer(image_size=32, patch_size=16, num_layers=2, num_heads=3, hidden_dim=192, mlp_dim=768)
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, 0, 0.1)
    out = answer(net, tiny)
    put("vit", {"state_dict": net.state_dict()}, tiny, out)
    put("vit_timm", {timm_names(n): t for n, t in net.state_dict().items()}, tiny, out)
    put("vit_face", face_names(net.state_dict()), tiny, out)


gpt2()
try:
    torchvisions()
    print(json.dumps({"torchvision": True}))
except ImportError:
    print(json.dumps({"torchvision": False}))
