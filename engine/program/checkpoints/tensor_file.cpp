// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/tensor_file.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/program/checkpoints/torch_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

namespace trainyard::program {

namespace fs = std::filesystem;
using Format = FileContent::Format;

namespace {

constexpr std::size_t kMostIndex = 64u << 20, kMostShards = 10'000;
constexpr const char* kWanted = "give a file of torch.save (.pth, .pt, .bin) or a .safetensors file";

// The index or the one file of weights in a folder, by the names that Hugging Face's programs write.
fs::path weightsOfFolder(const fs::path& folder) {
    std::error_code ignored;
    for (const char* name :
         {"model.safetensors.index.json", "pytorch_model.bin.index.json", "model.safetensors", "pytorch_model.bin",
          "diffusion_pytorch_model.safetensors", "adapter_model.safetensors", "adapter_model.bin"})
        if (fs::is_regular_file(folder / name, ignored)) return folder / name;
    return {};
}

// The files that an index names, each once, in order of name; nothing where it is none.
Result<std::vector<fs::path>> shardsOf(const fs::path& index) {
    TY_ASSIGN(const auto text, readFile(index, kMostIndex));
    const auto json = parseSortedJson(text);
    const auto map = json.is_object() ? json.find("weight_map") : json.end();
    if (map == json.end() || !map->is_object() || map->empty())
        return inputError("is no index of weights: it has no \"weight_map\"", index.string(), kWanted);
    std::set<std::string> names;
    for (const auto& file : *map)
        if (file.is_string()) names.insert(file.get<std::string>());
    if (names.size() > kMostShards) return inputError("names too many files", index.string(), kWanted);
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const std::string& name : names) {
        if (name.empty() || name.find('/') != name.npos || name == ".." || name.find('\0') != name.npos)
            return inputError("names the file " + printable(name, 80) + ", which is not beside it", index.string(),
                              "get the index again");
        if (!fs::is_regular_file(index.parent_path() / name, ignored))
            return inputError("names the file " + printable(name, 80) + ", which is not there", index.string(),
                              "copy all files of the model into one folder, and name the folder")
                .withCode(ErrorCode::FileMissing);
        files.push_back(index.parent_path() / name);
    }
    return files;
}

// Copies a view's values so that they lie one after the other.
void gatherView(const TensorPlace& tensor, std::size_t width, const std::byte* from, std::byte* to) {
    const std::size_t dimensions = tensor.shape.size();
    std::vector<std::int64_t> at(dimensions, 0);
    std::int64_t offset = 0;
    for (std::uint64_t left = tensor.bytes / width; left > 0; --left, to += width) {
        std::memcpy(to, from + static_cast<std::size_t>(offset) * width, width);
        for (std::size_t d = dimensions; d-- > 0;) {
            offset += tensor.strides[d];
            if (++at[d] < tensor.shape[d]) break;
            offset -= tensor.strides[d] * tensor.shape[d];
            at[d] = 0;
        }
    }
}

// Bytes from the first value of a tensor to the end of the last.
std::uint64_t reachOf(const TensorPlace& tensor, std::uint64_t width) {
    if (tensor.offset) return tensor.bytes;
    std::uint64_t last = 0; // what was listed has been checked to lie within its storage
    for (std::size_t d = 0; d < tensor.shape.size(); ++d)
        last += static_cast<std::uint64_t>(tensor.shape[d] - 1) * static_cast<std::uint64_t>(tensor.strides[d]);
    return (last + 1) * width;
}

} // namespace

// One file. Of an archive a record is read whole, so that its checksum can be compared.
class TensorFile::Part {
public:
    static Result<std::unique_ptr<Part>> open(const fs::path& path, Format format) {
        TY_ASSIGN(auto file, PlacedReader::open(path));
        std::unique_ptr<Part> part(new Part(std::move(file)));
        if (format == Format::Safetensors) { TY_ASSIGN(part->m_safe, store::SafetensorsFile::open(path)); }
        if (format == Format::Torch || format == Format::TorchScript) {
            TY_ASSIGN(part->m_records, store::readZipDirectory(archiveIn(part->m_file), part->m_file.name()));
            std::ranges::sort(part->m_records, {}, &store::ZipRecord::offset);
        }
        return part;
    }
    const PlacedReader& file() const { return m_file; }
    const std::optional<store::SafetensorsFile>& safetensors() const { return m_safe; }

    // All bytes from there on that `out` takes.
    Result<void> read(std::uint64_t at, std::span<std::byte> out) {
        if (m_records.empty()) return m_file.read(at, out);
        const auto after = std::ranges::upper_bound(m_records, at, {}, &store::ZipRecord::offset);
        if (after == m_records.begin()) return m_file.read(at, out);
        const auto& record = *(after - 1);
        if (at - record.offset > record.size || out.size() > record.size - (at - record.offset))
            return inputError("has a tensor outside of its records", m_file.name(), "copy the file again");
        if (m_held != &record) {
            m_held = nullptr;
            TY_ASSIGN(m_content, store::readZipRecord(archiveIn(m_file), record, static_cast<std::size_t>(record.size),
                                                      m_file.name()));
            m_held = &record;
        }
        std::memcpy(out.data(), m_content.data() + (at - record.offset), out.size());
        return {};
    }

private:
    explicit Part(PlacedReader file) : m_file(std::move(file)) {}

    PlacedReader m_file;
    std::optional<store::SafetensorsFile> m_safe{};
    std::vector<store::ZipRecord> m_records{};
    const store::ZipRecord* m_held = nullptr; // whose content is
    std::string m_content{};
};

TensorFile::TensorFile() = default;
TensorFile::TensorFile(TensorFile&&) noexcept = default;
TensorFile& TensorFile::operator=(TensorFile&&) noexcept = default;
TensorFile::~TensorFile() = default;

Result<void> TensorFile::add(const fs::path& path) {
    TY_ASSIGN(const auto file, PlacedReader::open(path));
    if (const std::string what = foreignFormat(file); !what.empty()) // whatever its name says
        return inputError("is no file of weights: it is " + what, path.string(), kWanted);
    TY_ASSIGN(auto content, readContent(path));
    if (content.format != Format::Torch && content.format != Format::LegacyTorch &&
        content.format != Format::Safetensors) {
        const bool script = content.format == Format::TorchScript;
        return inputError(script ? "is a TorchScript file, which is a model and not only its weights"
                          : content.format == Format::Archive ? "is a zip archive without the weights of a model"
                                                              : "is no file of weights: " + content.notes.front(),
                          path.string(), script ? "choose the model torchscript with this file" : kWanted);
    }
    TY_ASSIGN(auto part, Part::open(path, content.format));
    m_format = content.format;
    m_bytes += content.bytes;
    for (auto& tensor : content.tensors) {
        m_tensors.push_back(std::move(tensor));
        m_partOf.push_back(m_parts.size());
    }
    m_code.insert(m_code.end(), content.code.begin(), content.code.end());
    m_notes.insert(m_notes.end(), content.notes.begin(), content.notes.end());
    m_parts.push_back(std::move(part));
    m_files.push_back(path);
    return {};
}

Result<TensorFile> TensorFile::open(const fs::path& given) {
    std::error_code ignored;
    fs::path path = given;
    if (fs::is_directory(path, ignored)) {
        path = weightsOfFolder(given);
        if (path.empty())
            return inputError("is a folder without model.safetensors, pytorch_model.bin or an index of their parts",
                              given.string(), "name the file of weights in it");
    }
    TensorFile file;
    file.m_name = path.string();
    std::vector<fs::path> files{path};
    if (path.string().ends_with(".json")) { TY_ASSIGN(files, shardsOf(path)); }
    for (const fs::path& each : files) TY_TRY(file.add(each));
    return file;
}

std::string TensorFile::metadata(const std::string& key) const {
    for (const auto& part : m_parts)
        if (part->safetensors())
            if (const auto found = part->safetensors()->metadata().find(key);
                found != part->safetensors()->metadata().end())
                return found->second;
    return {};
}

bool TensorFile::canRead(std::size_t tensor) const {
    const auto& place = m_tensors[tensor];
    return widthOfType(place.dtype) && (place.bytes == 0 || place.offset || place.firstOfView);
}

Result<void> TensorFile::read(std::size_t tensor, std::span<std::byte> out) const {
    const auto& place = m_tensors[tensor];
    if (out.empty()) return {};
    auto& part = *m_parts[m_partOf[tensor]];
    if (part.safetensors()) { // checked whole when it was opened
        const auto* info = part.safetensors()->find(place.path);
        if (info == nullptr || info->end - info->begin != out.size())
            return inputError("has no tensor " + printable(place.path), part.file().name());
        std::ranges::copy(part.safetensors()->bytes(*info), out.begin());
        return {};
    }
    if (place.offset) return part.read(*place.offset, out);
    const auto width = static_cast<std::size_t>(widthOfType(place.dtype).value_or(1));
    std::vector<std::byte> bytes(static_cast<std::size_t>(reachOf(place, width)));
    TY_TRY(part.read(place.firstOfView.value_or(0), bytes));
    gatherView(place, width, bytes.data(), out.data());
    return {};
}

Result<std::string> TensorFile::sha256() const {
    if (m_files.size() == 1) return sha256HexOf(m_files.front());
    Sha256 all;
    for (const fs::path& file : m_files) {
        TY_ASSIGN(const std::string one, sha256HexOf(file));
        all.add(one.data(), one.size());
    }
    return all.hex();
}

} // namespace trainyard::program
