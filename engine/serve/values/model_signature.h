// SPDX-License-Identifier: GPL-3.0-or-later
// What a served model takes and gives: its replica writes it, and server, window and terminal read it.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// The datatypes of the Open Inference Protocol that models here have.
enum class TensorType { Bool, Uint8, Int32, Int64, Fp32, Fp64, Bytes };
// "BOOL", "UINT8", "INT32", "INT64", "FP32", "FP64", "BYTES".
const char* toString(TensorType type);
std::optional<TensorType> tensorTypeFromString(std::string_view word);
// Bytes of one element; 0: BYTES, whose elements differ.
std::size_t bytesOf(TensorType type);

// A tensor by its name. A dimension of -1 has any size; the first one is that of the rows.
struct TensorSignature {
    std::string name;
    TensorType type = TensorType::Fp32;
    std::vector<std::int64_t> shape;

    // Elements of one row: the product of all dimensions but the first. 0: one of those has any size.
    std::size_t elementsOfRow() const;
    bool operator==(const TensorSignature&) const = default;
};

// What people give to the model; tensors can be given to all.
enum class InputKind { Tensor, Image, Row, Text };
const char* toString(InputKind kind); // "tensor", "image", "row", "text"

// A column of the table that the model was trained with, in its order there. `words` are those of the training; empty:
// its cells are numbers.
struct ColumnSignature {
    std::string name;
    std::vector<std::string> words;

    bool operator==(const ColumnSignature&) const = default;
};

// The parts of a model that its answers and its documents need.
struct ModelSignature {
    std::string name;    // in addresses: letters, digits, "-", "_", "."
    std::string version; // RUN@STEP
    std::string task;    // "classification", "regression", "language", "labels", or empty: a program's own
    InputKind kind = InputKind::Tensor;
    std::vector<TensorSignature> inputs, outputs;
    std::vector<std::string> classes;     // by index; empty: it has none
    std::vector<ColumnSignature> columns; // of rows
    std::vector<std::string> targets;     // what a regression predicts, by index
    std::vector<std::string> units;       // of the targets, as many; empty words where there is none

    bool operator==(const ModelSignature&) const = default;
};

// On one line. What is empty is left out.
std::string signatureToJson(const ModelSignature& signature);
// Input: it is no such object, has an unknown word, a bad shape or two tensors of one name; `where` names the member.
// Unknown members are passed over, so that an older window reads what a newer replica says. Bounded: 64 tensors, 8
// dimensions, 1 MB of text.
Result<ModelSignature> signatureFromJson(std::string_view json);

// The input of that name, or null.
const TensorSignature* findTensor(const std::vector<TensorSignature>& tensors, std::string_view name);

} // namespace trainyard::serve
