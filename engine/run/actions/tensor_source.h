// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/files/placed_reader.h"
#include "engine/store/files/safetensors.h"

#include <variant>

namespace trainyard::run {

// The tensors of a checkpoint file, whoever wrote it: safetensors, or a .pt file of PyTorch's, of which no code is run.
class TensorSource {
public:
    // Input: it is missing, damaged, of another format, or holds no tensor whose values can be read. Of a folder the
    // model.safetensors in it, or pytorch_model.bin.
    static Result<TensorSource> open(const std::filesystem::path& path);

    const std::vector<store::TensorInfo>& tensors() const { return m_tensors; }
    std::int64_t step() const { return m_step; } // -1: it does not say
    const std::string& name() const { return m_name; }
    // The tensors that are compared, by the names to compare them by: those of the model under its own names, and with
    // `all` the others, too.
    std::map<std::string, const store::TensorInfo*> compared(bool all) const;

    // Where the file has a checksum of the tensor: Input, if it is another.
    Result<void> check(const store::TensorInfo& tensor) const;
    // As many values as `out` has, from the one with index `first` on. Input: the file has been cut since.
    Result<void> read(const store::TensorInfo& tensor, std::size_t first, std::span<double> out) const;
    // Its bytes need not be in memory any more.
    void release(const store::TensorInfo& tensor) const;

private:
    using File = std::variant<store::SafetensorsFile, PlacedReader>;
    TensorSource(File file, std::string name) : m_file(std::move(file)), m_name(std::move(name)) {}
    static Result<TensorSource> openTorch(const std::filesystem::path& path);
    std::string plainName(const std::string& name) const;

    File m_file;
    std::string m_name;
    std::vector<store::TensorInfo> m_tensors{};
    std::int64_t m_step = -1;
    std::string m_wrapper{}; // what the names of all of a .pt file's weights begin with: "model."
    bool m_isOurs = false;   // a checkpoint of the engine, whose weights are called "model.…"
};

} // namespace trainyard::run
