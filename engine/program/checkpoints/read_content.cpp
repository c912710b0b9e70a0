// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/read_content.h"

#include "engine/base/text/printable.h"
#include "engine/program/checkpoints/known_code.h"
#include "engine/program/checkpoints/legacy_torch.h"
#include "engine/program/checkpoints/torch_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>

namespace trainyard::program {
namespace {

using Format = FileContent::Format;
using Records = std::vector<store::ZipRecord>;

constexpr std::string_view kZipSign = "PK\x03\x04", kEmptyZipSign = "PK\x05\x06";
// The number that torch.save wrote first, before 1.6, as a pickle.
constexpr std::string_view kLegacySign = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

// "NAME/data.pkl" of torch.save: the first folder of such an archive has the name of the file.
const store::ZipRecord* pickleOf(const Records& records) {
    const auto found = std::ranges::find_if(records, [](const auto& record) {
        const auto slash = record.name.find('/');
        return slash != record.name.npos && std::string_view(record.name).substr(slash) == "/data.pkl";
    });
    return found == records.end() ? nullptr : &*found;
}

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 10;
    std::string text;
    for (std::size_t at = 0; at < names.size() && at < kMost; ++at)
        text += (at == 0 ? "" : ", ") + printable(names[at], 80);
    return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
}

void keepCode(const PickleTree& pickle, FileContent& content) {
    const bool compiled = content.format == Format::TorchScript; // its classes have their code in the archive
    for (const auto& name : pickle.code())
        if (!isKnownCode(name) && !(compiled && name.starts_with("__torch__."))) content.code.push_back(name);
}

Result<void> goodPickle(const ReadPickle& read, const FileContent& content) {
    if (!read.problem) return {};
    Error problem = *read.problem;
    if (!content.code.empty()) problem.message += "; before that it names " + listed(content.code);
    return problem;
}

Result<void> readLegacy(const PlacedReader& file, const PickleLimits& limits, FileContent& content) {
    TY_ASSIGN(const LegacyTorch legacy, readLegacyTorch(file, limits));
    keepCode(legacy.pickle.tree, content);
    TY_TRY(goodPickle(legacy.pickle, content));
    const FindStorage storage = [&](const std::string& key) -> std::optional<StoragePlace> {
        const auto found = legacy.storages.find(key);
        return found == legacy.storages.end() ? std::nullopt : std::optional(found->second);
    };
    readTorchValues(legacy.pickle.tree, storage, content);
    return {};
}

Result<void> readTorch(const PlacedReader& file, const Records& records, const store::ZipRecord& pickle,
                       const PickleLimits& limits, FileContent& content) {
    const std::string folder = pickle.name.substr(0, pickle.name.find('/') + 1);
    std::map<std::string_view, const store::ZipRecord*> storages;
    const std::string data = folder + "data/", code = folder + "code/";
    for (const auto& record : records) {
        if (record.name.starts_with(data)) storages[std::string_view(record.name).substr(data.size())] = &record;
        if (record.name.starts_with(code)) content.format = Format::TorchScript;
    }
    TY_ASSIGN(auto bytes, store::readZipRecord(archiveIn(file), pickle, limits.bytes, file.name()));
    const ReadPickle read = readPickle(std::move(bytes), file.name(), limits);
    keepCode(read.tree, content);
    TY_TRY(goodPickle(read, content));
    const FindStorage storage = [&](const std::string& key) -> std::optional<StoragePlace> {
        const auto found = storages.find(key);
        if (found == storages.end()) return std::nullopt;
        const auto& record = *found->second;
        return StoragePlace{record.size, record.method == 0 ? std::optional(record.offset) : std::nullopt};
    };
    readTorchValues(read.tree, storage, content);
    return {};
}

std::optional<double> numberIn(const store::Metadata& metadata, std::string_view name) {
    const auto found = metadata.find(std::string(name));
    if (found == metadata.end()) return std::nullopt;
    double value = 0;
    const std::string& text = found->second;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    return whole && value >= 0 && value < 1e15 ? std::optional(value) : std::nullopt;
}

void keepSafetensors(const store::SafetensorsHead& head, FileContent& content) {
    for (const auto& tensor : head.tensors)
        content.tensors.push_back(
            {tensor.name, tensor.dtype, tensor.shape, tensor.end - tensor.begin, head.dataOffset + tensor.begin});
    for (const auto& [name, text] : head.metadata) {
        const auto value = numberIn(head.metadata, name);
        if (!value) continue;
        if (isStepName(name) && !content.step) content.step = static_cast<std::int64_t>(*value);
        if (isEpochName(name) && !content.epoch) content.epoch = *value;
        content.numbers.push_back({name, *value});
    }
}

} // namespace

const char* toString(FileContent::Format format) {
    switch (format) {
    case Format::Torch: return "torch";
    case Format::TorchScript: return "torchscript";
    case Format::LegacyTorch: return "legacy torch";
    case Format::Safetensors: return "safetensors";
    case Format::Archive: return "zip";
    case Format::Unknown: return "unknown";
    }
    return "";
}

store::ZipSource archiveIn(const PlacedReader& file) {
    return {file.size(), [&file](std::uint64_t at, std::span<std::byte> out) { return file.read(at, out); }};
}

Result<store::SafetensorsHead> safetensorsIn(const PlacedReader& file) {
    const auto located = [&](Error error) {
        error.where = file.name();
        return error;
    };
    std::vector<std::byte> head(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 8)));
    TY_TRY(file.read(0, head));
    const std::uint64_t wanted = std::min(file.size(), store::safetensorsHeadSize(head));
    head.resize(static_cast<std::size_t>(wanted));
    TY_TRY(file.read(0, head));
    auto read = store::readSafetensorsHead(head, file.size());
    if (!read) return located(std::move(read).error());
    return read;
}

FileContent::Format formatOf(const PlacedReader& file) {
    std::array<std::byte, 16> bytes{};
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), bytes.size()));
    if (!file.read(0, std::span(bytes).first(count))) return Format::Unknown;
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), count);
    if (head.starts_with(kZipSign) || head.starts_with(kEmptyZipSign)) return Format::Torch;
    if (head.starts_with(kLegacySign)) return Format::LegacyTorch;
    // A length, and the JSON that it is of.
    const bool small = count >= 9 && head.substr(4, 4) == std::string_view("\0\0\0\0", 4);
    if (small && head[8] == '{') return Format::Safetensors;
    return Format::Unknown;
}

std::string foreignFormat(const PlacedReader& file) {
    if (formatOf(file) != Format::Unknown) return {};
    std::array<std::byte, 256> bytes{};
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), bytes.size()));
    if (!file.read(0, std::span(bytes).first(count))) return {};
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), count);
    const auto text = head.substr(std::min(head.size(), head.find_first_not_of(" \t\r\n\xef\xbb\xbf")));
    std::string tag(text.substr(0, 14));
    std::ranges::transform(tag, tag.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::array<std::pair<std::string_view, const char*>, 7> kSigns{{
        {"version https://git-lfs", "a pointer of Git LFS, and not the file that it stands for (git lfs pull gets it)"},
        {"GGUF", "a GGUF file, whose weights are packed for llama.cpp"},
        {"\x89HDF", "an HDF5 file, as Keras writes them"},
        {"\x1f\x8b", "packed with gzip (gunzip unpacks it)"},
        {"\x80\x02", "a pickle of another program"},
        {"\x80\x03", "a pickle of another program"},
        {"\x80\x04", "a pickle of another program"},
    }};
    if (tag.starts_with("<!doctype html") || tag.starts_with("<html"))
        return "a page of the web, and no file of weights";
    for (const auto& [sign, what] : kSigns)
        if (head.starts_with(sign)) return what;
    return {};
}

Result<FileContent> readContent(const std::filesystem::path& path, const PickleLimits& limits) {
    TY_ASSIGN(const PlacedReader file, PlacedReader::open(path));
    if (file.size() == 0) return inputError("is empty", file.name(), "copy or save the file again");
    FileContent content;
    content.bytes = file.size();
    content.format = formatOf(file);
    if (path.extension() == ".safetensors") content.format = Format::Safetensors; // says what is wrong with it
    if (content.format == Format::Torch) {
        TY_ASSIGN(const auto records, store::readZipDirectory(archiveIn(file), file.name()));
        if (const auto* pickle = pickleOf(records)) {
            TY_TRY(readTorch(file, records, *pickle, limits, content));
            return content;
        }
        content.format = Format::Archive;
        for (const auto& record : records) content.parts.push_back({record.name, record.size});
    } else if (content.format == Format::Safetensors) {
        TY_ASSIGN(const auto head, safetensorsIn(file));
        keepSafetensors(head, content);
    } else if (content.format == Format::LegacyTorch) {
        TY_TRY(readLegacy(file, limits, content));
    } else {
        const std::string what = foreignFormat(file);
        content.notes.emplace_back(what.empty() ? "its format is not known, so its content is not listed"
                                                : "it is " + what + ", so its content is not listed");
    }
    return content;
}

} // namespace trainyard::program
