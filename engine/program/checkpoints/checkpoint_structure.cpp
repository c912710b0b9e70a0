// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/checkpoint_structure.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/program/checkpoints/read_content.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

// Step and epoch stand near its beginning, and a sampler's state may be of any size.
constexpr PickleLimits kSmall{.bytes = 16u << 20, .values = 1'000'000};
constexpr std::size_t kMostJson = 64u << 20;

StructureLook cut(std::string problem) { return {.structure = Structure::Cut, .problem = std::move(problem)}; }

std::optional<double> numberOf(const Json& json, const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    if (found == json.end() || !found->is_number()) return std::nullopt;
    const double value = found->get<double>();
    return std::isfinite(value) && value >= 0 && value < 1e15 ? std::optional(value) : std::nullopt;
}

Json jsonIn(const fs::path& file) {
    const auto text = readFile(file, kMostJson);
    return text ? parseJson(*text) : Json(nlohmann::detail::value_t::discarded);
}

// The names of files that an index of shards lists; nothing where it cannot be read.
std::optional<std::set<std::string>> shardsIn(const fs::path& index) {
    const Json json = jsonIn(index);
    if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object()) return std::nullopt;
    std::set<std::string> names;
    for (const auto& file : json["weight_map"])
        if (file.is_string()) names.insert(file.get<std::string>());
    return names;
}

std::optional<std::int64_t> lastNumberIn(std::string_view text) {
    std::size_t end = text.size();
    while (end > 0 && (text[end - 1] < '0' || text[end - 1] > '9')) --end;
    std::size_t begin = end;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
    std::int64_t value = 0;
    const auto [at, problem] = std::from_chars(text.data() + begin, text.data() + end, value);
    return problem == std::errc() && at != text.data() + begin ? std::optional(value) : std::nullopt;
}

// What a folder says by its files.
class FolderLook {
public:
    explicit FolderLook(const FoundCheckpoint& checkpoint) : m_checkpoint(checkpoint), m_folder(checkpoint.path) {
        for (const auto& file : checkpoint.files) m_names.insert(fs::path(file.path).lexically_relative(m_folder));
    }

    StructureLook run() {
        for (const auto& file : m_checkpoint.files)
            if (!lookAt(file.path)) return m_look;
        if (!marks()) return m_look;
        m_look.structure = m_ended ? Structure::Whole : Structure::Unknown;
        return m_look;
    }

private:
    bool fail(std::string problem) {
        m_look = cut(std::move(problem));
        return false;
    }
    bool has(const std::string& name) const { return m_names.contains(name); }

    bool lookAt(const fs::path& file) {
        const std::string name = file.filename().string();
        if (name == "trainer_state.json") return trainerState(file);
        if (name.ends_with(".index.json")) return index(file);
        const auto look = lookAtFile(file);
        if (look.structure == Structure::Cut) return fail(look.problem);
        if (!m_look.step) m_look.step = look.step;
        if (!m_look.epoch) m_look.epoch = look.epoch;
        return true;
    }
    bool trainerState(const fs::path& file) {
        const Json json = jsonIn(file);
        if (!json.is_object()) return fail(file.string() + " is not whole yet");
        if (const auto step = numberOf(json, "global_step")) m_state.step = static_cast<std::int64_t>(*step);
        m_state.epoch = numberOf(json, "epoch");
        m_ended = true;
        return true;
    }
    bool index(const fs::path& file) {
        const auto shards = shardsIn(file);
        if (!shards) return fail(file.string() + " is not whole yet");
        const fs::path above = file.parent_path().lexically_relative(m_folder);
        for (const auto& shard : *shards)
            if (!has((above == "." ? fs::path(shard) : above / shard).string()))
                return fail(file.string() + " names " + printable(shard, 80) + ", which is not there");
        return true;
    }
    // What programs write last.
    bool marks() {
        if (m_state.step) m_look.step = m_state.step;
        if (m_state.epoch) m_look.epoch = m_state.epoch;
        const bool distributed =
            std::ranges::any_of(m_names, [](const std::string& name) { return name.ends_with(".distcp"); });
        if (distributed && !has(".metadata")) return fail(m_folder.string() + " has no .metadata yet");
        if (distributed) m_ended = true;
        for (const char* name : {"latest_checkpointed_iteration.txt", "latest"})
            if (const auto text = readFile(m_folder.parent_path() / name, 4096); text && !m_ended) {
                const auto latest = lastNumberIn(*text), own = lastNumberIn(m_folder.filename().string());
                if (!latest || !own) continue;
                if (*latest < *own) return fail((m_folder.parent_path() / name).string() + " does not name it yet");
                m_ended = true;
            }
        return true;
    }

    const FoundCheckpoint& m_checkpoint;
    const fs::path m_folder;
    std::set<std::string> m_names{}; // of its files, below it
    StructureLook m_look{};
    StructureLook m_state{}; // of trainer_state.json: the most certain
    bool m_ended = false;    // what is written last is there
};

FoundCheckpoint listed(const fs::path& folder) {
    constexpr std::size_t kMost = 10'000;
    FoundCheckpoint found{.path = folder.string(), .isFolder = true};
    std::error_code failure;
    for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end && found.files.size() < kMost;
         at.increment(failure)) {
        std::error_code ignored;
        if (fs::is_regular_file(at->symlink_status(ignored))) found.files.push_back({.path = at->path().string()});
    }
    std::ranges::sort(found.files, {}, &ListedFile::path);
    return found;
}

} // namespace

StructureLook lookAtFile(const fs::path& path) {
    const auto file = PlacedReader::open(path);
    if (!file) return cut(file.error().text());
    // Marks and locks are empty; what has a checkpoint's name is not.
    if (file->size() == 0) {
        const bool isOne = checkpointFileName(path.filename().string()) || path.extension() == ".bin";
        return isOne ? cut(path.string() + " is empty") : StructureLook{};
    }
    const auto format = path.extension() == ".safetensors" ? FileContent::Format::Safetensors : formatOf(*file);
    StructureLook look;
    if (format == FileContent::Format::Torch) {
        const auto records = store::readZipDirectory(archiveIn(*file), file->name());
        if (!records) return cut(records.error().text());
    } else if (format == FileContent::Format::Safetensors) {
        if (const auto head = safetensorsIn(*file); !head) return cut(head.error().text());
    } else {
        return look;
    }
    look.structure = Structure::Whole;
    if (const auto content = readContent(path, kSmall)) { // one that cannot be listed may be whole
        look.step = content->step;
        look.epoch = content->epoch;
    }
    return look;
}

StructureLook lookAtCheckpoint(const FoundCheckpoint& checkpoint) {
    if (checkpoint.isFolder) return FolderLook(checkpoint).run();
    return lookAtFile(checkpoint.path);
}

StructureLook lookAtCheckpoint(const fs::path& path) {
    std::error_code failure;
    if (!fs::is_directory(path, failure)) return lookAtFile(path);
    const auto found = listed(path);
    return found.files.empty() ? cut(path.string() + " is empty") : lookAtCheckpoint(found);
}

} // namespace trainyard::program
