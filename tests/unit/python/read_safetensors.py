# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a safetensors file by its specification alone and prints "name dtype shape sha256" for each tensor."""
import hashlib
import json
import struct
import sys
import numpy

with open(sys.argv[1], "rb") as file:
    content = file.read()
(length,) = struct.unpack("<Q", content[:8])
header = json.loads(content[8:8 + length])
header.pop("__metadata__", None)
data = content[8 + length:]
types = {"F32": numpy.float32, "I64": numpy.int64, "U8": numpy.uint8}
for name, info in sorted(header.items()):
    begin, end = info["data_offsets"]
    array = numpy.frombuffer(data[begin:end], dtype=types[info["dtype"]]).reshape(info["shape"])
    shape = "x".join(map(str, array.shape))
    print(name, array.dtype, shape or "scalar", hashlib.sha256(array.tobytes()).hexdigest())
