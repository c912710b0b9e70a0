# SPDX-License-Identifier: GPL-3.0-or-later
"""The peers of the benchmark table: the same trainings as plain scripts on the same PyTorch.

    RANK=r WORLD_SIZE=w ddp.py key=value...

workload=mlp|convnet|resnet18   784-512-512-10 with SGD 1e-3 | Ray's small ConvNet | ResNet-18 for 1 x 28 x 28
style=tuned|stock               tuned: the data as one normalised tensor, one thread, gradients as views of the buckets,
                                channels_last where it is faster; stock: a transform for each sample, DataLoader,
                                DistributedSampler and plain DDP, as such scripts are written
ddp=1|0                         0: ranks train each for itself, which is what perfect scaling would give
hook=fp16|bf16|powersgd         how gradients travel, else as they are; powersgd: in matrices of rank hookrank=N (2) and
                                one bucket, because over Gloo the hook mixes up the collectives of several
lr=X                            of SGD, in place of the workload's
device=cpu|cuda                 cuda, one rank: tuned has the whole dataset there, a fused optimizer and lets cuDNN choose
bf16=0|1  batch=N (a rank)  steps=N  warm=N  data=FOLDER  meet=FILE (else env://)  save=FILE  starts=FOLDER

Rank 0 prints one line of JSON: samples_per_s of all ranks after the warm steps, loss (its own, the mean of the last 20
steps), first_step (wall clock when the first
step was done) and, with save=FILE, save_s (the time that torch.save of model and optimizer takes in the step).
starts=FOLDER, under torchrun: each rank leaves a file RESTART.RANK there after its first step, with first_step and its
process id.
"""
import gzip
import json
import os
import sys
import time

import torch
import torch.distributed as dist

nn = torch.nn
args = dict(argument.split("=", 1) for argument in sys.argv[1:])


def option(name, default):
    return type(default)(args.get(name, default))


rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
workload, style = option("workload", "mlp"), option("style", "tuned")
steps, warm, batch = option("steps", 300), option("warm", 20), option("batch", 32)
bf16, ddp = option("bf16", 0) == 1, option("ddp", 1) == 1
device = torch.device(option("device", "cpu"))
cuda = device.type == "cuda"
tuned = style == "tuned"
folder = option("data", "/usr/share/datasets/fashion-mnist")
if tuned:
    torch.set_num_threads(1)
    torch.backends.cudnn.benchmark = cuda
torch.manual_seed(0)


def idx(name, offset):
    with gzip.open(os.path.join(folder, name)) as file:
        return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8, offset=offset)


def make_model():
    if workload == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(),
                             nn.Linear(512, 10))
    if workload == "convnet":
        return nn.Sequential(nn.Conv2d(1, 3, 3), nn.MaxPool2d(3), nn.ReLU(), nn.Flatten(), nn.Linear(192, 10))
    from torchvision.models import resnet18
    model = resnet18(num_classes=10)
    model.conv1 = nn.Conv2d(1, 64, 7, 2, 3, bias=False)
    return model.to(memory_format=torch.channels_last) if tuned else model


class Images(torch.utils.data.Dataset):
    """One sample at a time, through the transforms of torchvision."""

    def __init__(self, images, labels):
        from torchvision.transforms import Compose, Normalize, ToTensor
        self.images, self.labels = images.numpy(), labels.tolist()
        self.transform = Compose([ToTensor(), Normalize((0.28604,), (0.32025,))])

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        from PIL import Image
        return self.transform(Image.fromarray(self.images[index], mode="L")), self.labels[index]


def tuned_batches(images, labels):
    x = images.to(device).float().div_(255).sub_(0.28604).div_(0.32025).unsqueeze(1)
    labels = labels.to(device)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))[rank::world].to(device)
    at = 0
    while True:
        which = order[at:at + batch]
        yield x[which], labels[which]
        at = at + batch if at + 2 * batch <= len(order) else 0


def stock_batches(images, labels):
    dataset = Images(images, labels)
    sampler = torch.utils.data.distributed.DistributedSampler(dataset, world, rank)
    loader = torch.utils.data.DataLoader(dataset, batch_size=batch, sampler=sampler, drop_last=True)
    epoch = 0
    while True:
        sampler.set_epoch(epoch)
        yield from ((x.to(device), y.to(device)) for x, y in loader)
        epoch += 1


images = idx("train-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28)
labels = idx("train-labels-idx1-ubyte.gz", 8).long()
if workload == "resnet18":
    images, labels = images[:8192], labels[:8192]
batches = (tuned_batches if tuned else stock_batches)(images, labels)
meet = option("meet", "")
if world > 1 or "MASTER_ADDR" in os.environ:
    dist.init_process_group("gloo", init_method="file://" + meet if meet else "env://", rank=rank, world_size=world)
inner = make_model().to(device)
model = inner
hook = option("hook", "")
if hook == "powersgd":
    dist._DEFAULT_FIRST_BUCKET_BYTES = 1 << 30
if ddp and world > 1:
    model = nn.parallel.DistributedDataParallel(inner, **(
        {"gradient_as_bucket_view": True, "broadcast_buffers": False} if tuned else {}))
    if hook == "powersgd":
        from torch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook
        model.register_comm_hook(powerSGD_hook.PowerSGDState(None, option("hookrank", 2), start_powerSGD_iter=10),
                                 powerSGD_hook.powerSGD_hook)
    elif hook:
        from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
        model.register_comm_hook(None, getattr(default_hooks, hook + "_compress_hook"))
lr, momentum = (1e-3, 0.0) if workload == "mlp" else (0.01, 0.9)
lr = option("lr", lr)
optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum, **({"fused": True} if cuda and tuned else {}))
loss_of = nn.CrossEntropyLoss()
result, saved, losses = {}, [], []
begun = 0.0
for step in range(warm + steps):
    if step == warm:
        if world > 1:
            dist.barrier()
        if cuda:
            torch.cuda.synchronize()
        begun = time.perf_counter()
    x, y = next(batches)
    if bf16:
        with torch.autocast(device.type, torch.bfloat16):
            loss = loss_of(model(x).float(), y)
    else:
        loss = loss_of(model(x), y)
    optimizer.zero_grad()
    losses = [*losses[-19:], loss.detach()]
    loss.backward()
    optimizer.step()
    if step == 0:
        result["first_step"] = time.time()
        if "starts" in args:
            path = os.path.join(args["starts"], f"{os.environ['TORCHELASTIC_RESTART_COUNT']}.{rank}")
            with open(path + ".part", "w") as file:
                json.dump({"first_step": result["first_step"], "pid": os.getpid()}, file)
            os.rename(path + ".part", path)
    if "save" in args and rank == 0 and step % 10 == 9:
        before = time.perf_counter()
        torch.save({"model": inner.state_dict(), "optimizer": optimizer.state_dict()}, args["save"])
        saved.append(time.perf_counter() - before)
if cuda:
    torch.cuda.synchronize()
seconds = time.perf_counter() - begun
if world > 1:
    dist.barrier()
result["samples_per_s"] = steps * batch * world / max(1e-9, seconds)
result["loss"] = sum(each.item() for each in losses) / len(losses)
if saved:
    result["save_s"] = sorted(saved)[len(saved) // 2]
if rank == 0:
    print(json.dumps(result), flush=True)
