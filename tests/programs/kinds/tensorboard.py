# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes an event file as TensorBoard's SummaryWriter does, which is flushed every ten points; nothing is needed."""
import os
import socket
import struct
import time

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def record(event):
    head = struct.pack("<Q", len(event))
    return head + struct.pack("<I", masked_crc(head)) + event + struct.pack("<I", masked_crc(event))


def event(content, step=None):
    return b"\x09" + struct.pack("<d", time.time()) + (b"" if step is None else b"\x10" + varint(step)) + content


def scalar(tag, value, step):
    return record(event(field(5, field(1, field(1, tag.encode()) + b"\x15" + struct.pack("<f", value))), step))


folder = os.path.join("runs", "Jan01_00-00-00_" + socket.gethostname())
os.makedirs(folder)
with open(os.path.join(folder, "events.out.tfevents.%d.host.%d.0" % (time.time(), os.getpid())), "wb") as file:
    file.write(record(event(field(3, b"brain.Event:2"))))
    for step in range(20):
        file.write(scalar("Loss/train", 1 / (step + 1), step))
        if step % 10 == 9:
            file.flush()
        print(f"step {step} loss: {1 / (step + 1):.3f}", flush=True)
        time.sleep(0.05)
