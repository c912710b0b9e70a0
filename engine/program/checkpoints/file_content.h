// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint file holds, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::program {

// A tensor, and where its values are.
struct TensorPlace {
    std::string path;  // "optimizer.state.0.exp_avg"
    std::string dtype; // by safetensors' name, "F32"; by PyTorch's where that has none: "qint8"; "" is not known
    std::vector<std::int64_t> shape{};
    std::uint64_t bytes = 0; // of its values alone, however large what it is a part of
    // Of the first one, in the file. Nothing where they do not lie there one after the other: packed, strided, sparse,
    // or not there at all.
    std::optional<std::uint64_t> offset{};
    // Of a view whose values lie apart: its first one in the file, and how many values it is from each to the next in
    // every dimension. Nothing where `offset` is given, or nothing can be read.
    std::optional<std::uint64_t> firstOfView{};
    std::vector<std::int64_t> strides{};
};

// A number with its name in the file: "best_acc1", "optimizer.param_groups.0.lr".
struct NamedNumber {
    std::string path;
    double value = 0;
};

// All that is told of a file without running any of its code.
struct FileContent {
    enum class Format {
        Torch,       // torch.save: a zip archive with a pickle
        TorchScript, // torch.jit.save: the same with code
        LegacyTorch, // torch.save of before 1.6: a pickle, and the bytes of its tensors
        Safetensors,
        Archive, // another zip archive: .npz, .keras
        Unknown, // of this one nothing is known but its size
    };
    struct Part { // a record of an archive
        std::string name;
        std::uint64_t bytes = 0;
    };

    Format format = Format::Unknown;
    std::uint64_t bytes = 0; // the file's
    std::vector<TensorPlace> tensors{};
    std::optional<std::int64_t> step{};
    std::optional<double> epoch{};
    std::vector<NamedNumber> learningRates{}; // of the param_groups of its optimizers
    std::vector<NamedNumber> numbers{};       // others that stand near its root
    // Functions and classes that loading it with Python's pickle would import and may call, and that are neither
    // PyTorch's own nor data: "posix.system", "argparse.Namespace".
    std::vector<std::string> code{};
    std::vector<Part> parts{};        // of an Archive
    std::vector<std::string> notes{}; // what is not told, and why: a sentence each
};

const char* toString(FileContent::Format format); // "torch", "safetensors"

} // namespace trainyard::program
