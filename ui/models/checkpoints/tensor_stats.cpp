// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/actions/tensor_source.h"
#include "engine/store/files/safetensors.h"
#include "ui/models/checkpoints/tensor_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace trainyard::ui {

namespace {

constexpr std::size_t kPiece = 1 << 16; // values of a tensor that are in memory at once

template <class Stored>
double widen(Stored value) {
    if constexpr (std::is_same_v<Stored, std::uint16_t>) // bfloat16: the upper half of a float
        return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
    else return static_cast<double>(value);
}

template <class Stored>
void sumUp(std::span<const std::byte> bytes, TensorStats& stats) {
    const std::size_t count = bytes.size() / sizeof(Stored);
    const auto value = [&bytes](std::size_t i) {
        Stored stored;
        std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
        return widen(stored);
    };
    double squares = 0;
    double low = INFINITY;
    double high = -INFINITY;
    for (std::size_t i = 0; i < count; ++i) {
        const double v = value(i);
        squares += v * v;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    stats.norm = std::sqrt(squares);
    stats.min = low;
    stats.max = high;
    stats.read = count > 0 && std::isfinite(low) && std::isfinite(high);
    const double width = high - low;
    for (std::size_t i = 0; stats.read && i < count; ++i) {
        const double place = width > 0 ? (value(i) - low) / width * TensorStats::kBins : 0.0;
        ++stats
              .histogram[std::min<std::size_t>(static_cast<std::size_t>(std::max(0.0, place)), TensorStats::kBins - 1)];
    }
}

QString shapeText(const store::TensorInfo& tensor) {
    QStringList sizes;
    for (const auto size : tensor.shape) sizes << QString::number(size);
    return sizes.join(QStringLiteral(", "));
}

std::int64_t valuesOf(const store::TensorInfo& tensor) {
    std::int64_t values = 1;
    for (const auto size : tensor.shape) values *= size;
    return values;
}

// Calls `take` with all values, piece by piece.
template <class Take>
Result<void> readValues(const run::TensorSource& source, const store::TensorInfo& tensor, Take take) {
    std::vector<double> piece(kPiece);
    const auto count = static_cast<std::size_t>(valuesOf(tensor));
    for (std::size_t first = 0; first < count; first += kPiece) {
        const std::span<double> part(piece.data(), std::min(kPiece, count - first));
        TY_TRY(source.read(tensor, first, part));
        for (const double value : part) take(value);
    }
    source.release(tensor);
    return {};
}

// Twice over the values: the bins need the range first.
Result<void> sumUp(const run::TensorSource& source, const store::TensorInfo& tensor, TensorStats& stats) {
    double squares = 0, low = INFINITY, high = -INFINITY;
    bool isFinite = true;
    TY_TRY(readValues(source, tensor, [&](double value) {
        isFinite = isFinite && std::isfinite(value);
        squares += value * value;
        low = std::min(low, value);
        high = std::max(high, value);
    }));
    stats.norm = std::sqrt(squares);
    stats.min = low;
    stats.max = high;
    stats.read = stats.values > 0 && isFinite;
    if (!stats.read) return {};
    const double width = high - low;
    return readValues(source, tensor, [&](double value) {
        const double place = width > 0 ? (value - low) / width * TensorStats::kBins : 0.0;
        ++stats
              .histogram[std::min<std::size_t>(static_cast<std::size_t>(std::max(0.0, place)), TensorStats::kBins - 1)];
    });
}

} // namespace

Result<CheckpointContent> readProgramCheckpoint(const std::string& path) {
    TY_ASSIGN(const auto source, run::TensorSource::open(path));
    const auto compared = source.compared(false);
    CheckpointContent content;
    content.otherTensors = static_cast<std::int64_t>(source.tensors().size() - compared.size());
    for (const auto& [name, tensor] : compared) {
        TensorStats stats;
        stats.name = QString::fromStdString(name);
        stats.dtype = QString::fromStdString(tensor->dtype).toLower();
        stats.shape = shapeText(*tensor);
        stats.values = valuesOf(*tensor);
        content.values += stats.values;
        if (tensor->dtype.find('F') != std::string::npos) TY_TRY(sumUp(source, *tensor, stats));
        content.parameters.push_back(std::move(stats));
    }
    return content;
}

Result<CheckpointContent> readCheckpoint(const std::string& path) {
    TY_ASSIGN(const auto file, store::SafetensorsFile::open(path));
    CheckpointContent content;
    for (const auto& tensor : file.tensors()) {
        static const std::string prefix = "model.";
        if (tensor.name.rfind(prefix, 0) != 0) {
            ++content.otherTensors;
            continue;
        }
        TensorStats stats;
        stats.name = QString::fromStdString(tensor.name.substr(prefix.size()));
        stats.dtype = QString::fromStdString(tensor.dtype).toLower();
        stats.values = valuesOf(tensor);
        stats.shape = shapeText(tensor);
        content.values += stats.values;
        if (tensor.dtype == "F32") sumUp<float>(file.bytes(tensor), stats);
        if (tensor.dtype == "F64") sumUp<double>(file.bytes(tensor), stats);
        if (tensor.dtype == "BF16") sumUp<std::uint16_t>(file.bytes(tensor), stats);
        content.parameters.push_back(std::move(stats));
    }
    return content;
}

} // namespace trainyard::ui
