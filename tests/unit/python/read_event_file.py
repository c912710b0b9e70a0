# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a TensorBoard event file without TensorBoard: checks every checksum and prints the events as JSON.

Written from the format (tensorflow/core/lib/io/record_reader.cc, event.proto), not from the writer."""
import json
import math
import struct
import sys


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def unmask(masked):
    rotated = (masked - 0xA282EAD8) & 0xFFFFFFFF
    return ((rotated >> 17) | (rotated << 15)) & 0xFFFFFFFF


def records(data):
    at = 0
    while at < len(data):
        length, length_crc = struct.unpack_from("<QI", data, at)
        assert unmask(length_crc) == crc32c(data[at:at + 8]), f"checksum of the length at {at}"
        content = data[at + 12:at + 12 + length]
        assert len(content) == length, f"cut off at {at}"
        (content_crc,) = struct.unpack_from("<I", data, at + 12 + length)
        assert unmask(content_crc) == crc32c(content), f"checksum of the record at {at}"
        yield content
        at += 16 + length


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            assert kind == 5, f"wire type {kind}"
            value, at = struct.unpack_from("<f", data, at)[0], at + 4
        yield key >> 3, value


def event(data):
    out = {"step": 0}
    for number, value in fields(data):
        if number == 1:
            out["wall"] = value
        elif number == 2:
            out["step"] = value
        elif number == 3:
            out["version"] = value.decode()
        elif number == 5:
            for _, scalar in fields(value):
                parts = dict(fields(scalar))
                out["tag"] = parts[1].decode()
                out["value"] = None if math.isnan(parts[2]) else parts[2]
        elif number == 7:
            out["restart"] = dict(fields(value)).get(1) == 1
    return out


with open(sys.argv[1], "rb") as file:
    print(json.dumps([event(each) for each in records(file.read())]))
