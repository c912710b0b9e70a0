// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/read_content.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard::program {

// The tensors of a file of weights and their values: torch.save (also of before 1.6), safetensors, or an index of
// shards of either (model.safetensors.index.json). No code of it is run. What a file is, its bytes say, not its name.
class TensorFile {
public:
    // A folder stands for the index or the one file of weights in it. Input, with file, place and remedy: it is
    // missing, cut, damaged, of another format, or an index that names what is not beside it. Environment: it cannot
    // be read.
    static Result<TensorFile> open(const std::filesystem::path& path);
    TensorFile(TensorFile&&) noexcept;
    TensorFile& operator=(TensorFile&&) noexcept;
    ~TensorFile();

    const std::string& name() const { return m_name; } // the path of the file, or the index
    FileContent::Format format() const { return m_format; }
    // Bytes of all files together.
    std::uint64_t bytes() const { return m_bytes; }
    const std::vector<TensorPlace>& tensors() const { return m_tensors; }
    // Functions and classes that Python's pickle would import; notes on what is not read. As FileContent has them.
    const std::vector<std::string>& code() const { return m_code; }
    const std::vector<std::string>& notes() const { return m_notes; }
    // What the metadata of a safetensors file say under a key; empty: nothing.
    std::string metadata(const std::string& key) const;

    // Whether the values of tensor number `tensor` can be read: they lie in the file as they are.
    bool canRead(std::size_t tensor) const;
    // They, one after the other in row-major order, as the file has them: `out` has TensorPlace::bytes. Input: the part
    // of the file with them is damaged, or was cut meanwhile. One thread.
    Result<void> read(std::size_t tensor, std::span<std::byte> out) const;
    // In hexadecimal, of the bytes of all files in the order of the index. Input, Environment: one cannot be read.
    Result<std::string> sha256() const;

private:
    class Part;
    TensorFile();
    Result<void> add(const std::filesystem::path& path);

    std::string m_name{};
    FileContent::Format m_format = FileContent::Format::Unknown;
    std::uint64_t m_bytes = 0;
    std::vector<std::unique_ptr<Part>> m_parts{};
    std::vector<std::filesystem::path> m_files{};
    std::vector<TensorPlace> m_tensors{};
    std::vector<std::size_t> m_partOf{}; // of each tensor
    std::vector<std::string> m_code{}, m_notes{};
};

} // namespace trainyard::program
