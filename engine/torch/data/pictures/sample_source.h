// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace trainyard::data {

// Where a picture is cut out before it is resized, drawn without knowing its size: numbers in [0, 1).
struct CutDraw {
    double leastArea = 1; // the smallest share of the picture; 1: all of it
    double area = 0, ratio = 0, left = 0, top = 0;
};

class RowForm;

// Pictures that are no tensor: kept in a mapped file, or read from their own files when they are wanted; or rows of a
// table that are kept in a mapped file. Every function
// may be called on any thread, several at a time.
class SampleSource {
public:
    virtual ~SampleSource() = default;
    virtual std::int64_t count() const = 0;
    // Of each sample: uint8 [C, H, W], or the bytes of a row.
    virtual std::int64_t sampleBytes() const = 0;
    // Sample i where it lies in memory; null: it is to be read().
    virtual const std::uint8_t* bytes(std::int64_t) const { return nullptr; }
    // Writes sample i, sampleBytes() of it; `cut` may be null. Blocks on the disk. Input: its file cannot be decoded or
    // is gone. Environment: the disk does not answer, which is no fault of the sample.
    virtual Result<void> read(std::int64_t i, const CutDraw* cut, std::uint8_t* to) const = 0;
    // They are read soon: what the disk has to do for it begins now, and nobody waits for it.
    virtual void announce(std::span<const std::int64_t>) const {}
    // What the bytes of a row become; null: they are those of a picture.
    virtual const RowForm* rows() const { return nullptr; }
    // The file of sample i.
    virtual std::string nameOf(std::int64_t i) const = 0;
    // False: nothing of it is in memory, and reading a sample costs its decoding.
    virtual bool isResident() const = 0;
};

} // namespace trainyard::data
