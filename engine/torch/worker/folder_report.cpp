// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/folder_report.h"

#include "engine/base/json_text.h"
#include "engine/base/machine/mutex.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/images/image_region.h"
#include "engine/spec/run/task_kind.h"
#include "engine/torch/data/labelled_images.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

namespace trainyard::train {

namespace fs = std::filesystem;
using data::ImageListing;
using data::ImageParts;
using data::UnreadableFile;

namespace {

constexpr std::size_t kLookedAt = 64, kMostListed = 1000;
constexpr int kSide = 224;

struct PartOf {
    const char* name;
    const ImageListing* listing;
};

std::array<PartOf, 3> partsOf(const ImageParts& parts) {
    return {{{"train", &parts.train}, {"validation", &parts.validation}, {"test", &parts.test}}};
}

Result<ImageParts> listed(const FolderQuestion& question) {
    if (question.labels.empty()) return data::listImages(question.folder);
    formats::LabelOptions options{.columns = question.columns};
    options.use = question.task == "regression"    ? formats::LabelUse::Numbers
                  : question.task == "multi-label" ? formats::LabelUse::Several
                                                   : formats::LabelUse::Class;
    return data::listLabelled({question.folder, question.labels, options});
}

std::vector<std::int64_t> countsOf(const ImageListing& part) {
    std::vector<std::int64_t> counts(part.classes.size());
    if (part.values.use == formats::LabelUse::Several)
        for (const std::uint32_t label : part.values.labels) ++counts[label];
    else
        for (const std::int64_t target : part.targets) ++counts[static_cast<std::size_t>(target)];
    return counts;
}

Json classesJson(const ImageParts& parts) {
    Json classes = Json::array();
    if (parts.train.values.use == formats::LabelUse::Numbers) return classes;
    for (const std::string& name : parts.train.classes) classes.push_back({{"name", name}});
    for (const auto& [name, part] : partsOf(parts)) {
        const std::vector<std::int64_t> counts = countsOf(*part);
        for (std::size_t c = 0; c < classes.size(); ++c) classes[c][name] = c < counts.size() ? counts[c] : 0;
    }
    return classes;
}

const char* kindName(formats::ImageKind kind) {
    switch (kind) {
    case formats::ImageKind::Png: return "PNG";
    case formats::ImageKind::Jpeg: return "JPEG";
    case formats::ImageKind::Webp: return "WebP";
    case formats::ImageKind::Tiff: return "TIFF";
    case formats::ImageKind::Bmp: return "BMP";
    case formats::ImageKind::Gif: return "GIF";
    case formats::ImageKind::None: break;
    }
    return "none";
}

std::span<const std::uint8_t> asBytes(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::vector<UnreadableFile> unreadOf(const ImageParts& parts) {
    std::vector<UnreadableFile> unread;
    for (const auto& [name, part] : partsOf(parts))
        unread.insert(unread.end(), part->unread.begin(), part->unread.end());
    return unread;
}

Json filesJson(const std::vector<UnreadableFile>& files, std::size_t most) {
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(files.size(), most); ++i)
        list.push_back({{"file", files[i].file}, {"why", files[i].why}});
    return list;
}

// What the first pictures are like: the same ones each time, spread over all of them.
class Glance {
public:
    void lookAt(const formats::FileNames& files) {
        const std::size_t count = std::min(files.size(), kLookedAt);
        for (std::size_t i = 0; i < count; ++i) lookAtOne(files[i * files.size() / count]);
    }
    void write(Json& report, std::size_t pictures) {
        report["kinds"] = Json::object();
        for (const auto& [kind, count] : m_kinds) report["kinds"][kind] = count;
        std::sort(m_sides.begin(), m_sides.end(),
                  [](const auto& a, const auto& b) { return a[0] * std::int64_t{a[1]} < b[0] * std::int64_t{b[1]}; });
        if (m_sides.empty()) return;
        report["sides"] = {
            {"smallest", m_sides.front()}, {"median", m_sides[m_sides.size() / 2]}, {"largest", m_sides.back()}};
        report["decodeSeconds"] = m_seconds / static_cast<double>(m_sides.size()) * static_cast<double>(pictures);
    }
    std::vector<UnreadableFile> bad;

private:
    void lookAtOne(const fs::path& file) {
        const auto bytes = formats::readImageFile(file);
        const auto begin = std::chrono::steady_clock::now();
        const auto middle = [](int width, int height) { return formats::middleOf(width, height, kSide, kSide, true); };
        m_planes.resize(3 * kSide * kSide);
        auto facts = bytes ? m_reader.decode(asBytes(*bytes), file.string(), middle,
                                             {kSide, kSide, 3, m_planes.data(), /*shrunk=*/true})
                           : Result<formats::RegionFacts>(bytes.error());
        if (!facts) return bad.push_back({file.string(), facts.error().message});
        m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        ++m_kinds[kindName(formats::imageKindOf(asBytes(*bytes)))];
        m_sides.push_back({facts->width, facts->height});
    }

    formats::RegionReader m_reader;
    std::vector<std::uint8_t> m_planes;
    std::map<std::string, int> m_kinds;
    std::vector<std::array<int, 2>> m_sides;
    double m_seconds = 0;
};

// What all pictures of a folder are like, each decoded once.
class Check {
public:
    explicit Check(const ImageParts& parts) : m_bad(unreadOf(parts)) {
        for (const auto& [name, part] : partsOf(parts)) m_files.append(part->files);
        m_training = parts.train.files.size();
        m_digests.resize(m_files.size());
    }
    Result<void> run() {
        std::vector<std::jthread> threads;
        for (unsigned t = 1; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
            threads.emplace_back([this] { work(); });
        work();
        threads.clear();
        if (m_problem) return *m_problem;
        std::sort(m_bad.begin(), m_bad.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
        return {};
    }
    const std::vector<UnreadableFile>& bad() const { return m_bad; }
    void write(Json& report) const {
        report["pictures"] = m_files.size();
        report["bad"] = filesJson(m_bad, m_bad.size());
        report["recovered"] = m_recovered.load();
        std::map<std::string_view, std::size_t> first;
        std::size_t twice = 0, leaks = 0;
        Json list = Json::array();
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            if (m_digests[i].empty()) continue;
            const auto [known, isNew] = first.emplace(m_digests[i], i);
            if (isNew) continue;
            if (i >= m_training && known->second < m_training) ++leaks;
            if (twice++ < kMostListed)
                list.push_back({{"file", m_files[i].string()}, {"first", m_files[known->second].string()}});
        }
        report["twice"] = std::move(list);
        report["twiceCount"] = twice;
        report["leaks"] = leaks;
    }

private:
    void work() {
        for (std::size_t i = m_next++; i < m_files.size(); i = m_next++) {
            const fs::path file = m_files[i];
            const auto bytes = formats::readImageFile(file);
            auto image =
                bytes ? formats::decodeImage(asBytes(*bytes), file.string()) : Result<formats::Image>(bytes.error());
            if (image) {
                if (image->recovered) ++m_recovered;
                m_digests[i] = sha256Raw(*bytes);
                continue;
            }
            const MutexLock lock(m_mutex);
            if (image.error().kind != ErrorKind::Input) { // not the file's fault
                m_problem = image.error();
                m_next = m_files.size();
            } else {
                m_bad.push_back({file.string(), image.error().message});
            }
        }
    }

    formats::FileNames m_files;
    std::size_t m_training = 0;
    std::vector<std::string> m_digests; // of the bytes; empty: cannot be read
    std::atomic<std::size_t> m_next = 0, m_recovered = 0;
    Mutex m_mutex;
    std::vector<UnreadableFile> m_bad;
    std::optional<Error> m_problem;
};

// Beside the folder; never onto a file that is there.
Result<std::size_t> moveAside(const std::vector<UnreadableFile>& bad, const fs::path& folder, const fs::path& to) {
    std::size_t moved = 0;
    for (const UnreadableFile& each : bad) {
        const fs::path from = each.file;
        std::error_code problem;
        if (!fs::exists(fs::symlink_status(from, problem))) continue; // named by a file of labels alone
        const fs::path way = from.lexically_relative(folder);
        if (way.empty() || *way.begin() == "..") continue; // labels may name files elsewhere
        fs::path target = to / way;
        for (int n = 2; fs::exists(fs::symlink_status(target, problem)); ++n)
            target =
                (to / way).replace_filename(way.stem().string() + " " + std::to_string(n) + way.extension().string());
        fs::create_directories(target.parent_path(), problem);
        if (!problem) fs::rename(from, target, problem);
        if (problem)
            return environmentError("cannot be moved to " + printable(to.string(), 4096) + ": " + problem.message() +
                                        "; " + std::to_string(moved) + " files were moved there",
                                    printable(from.string(), 4096), "check the permissions of both folders");
        ++moved;
    }
    return moved;
}

fs::path asideOf(const fs::path& folder) {
    fs::path real = fs::absolute(folder).lexically_normal();
    if (!real.has_filename()) real = real.parent_path();
    return real.parent_path() / (real.filename().string() + "-set-aside");
}

} // namespace

Result<std::string> inspectFolder(const FolderQuestion& question) {
    TY_ASSIGN(const ImageParts parts, listed(question));
    Json report{{"folder", question.folder.string()}};
    std::size_t pictures = 0;
    std::int64_t bytes = 0;
    Json counts = Json::object();
    for (const auto& [name, part] : partsOf(parts)) {
        counts[name] = part->files.size();
        pictures += part->files.size();
        for (const formats::FileFacts& facts : formats::factsOf(part->files))
            bytes += std::max<std::int64_t>(facts.size, 0);
    }
    report["pictures"] = pictures;
    report["bytes"] = bytes;
    report["parts"] = std::move(counts);
    report["classes"] = classesJson(parts);
    Glance glance;
    glance.lookAt(parts.train.files);
    glance.write(report, pictures);
    std::vector<UnreadableFile> unread = unreadOf(parts);
    unread.insert(unread.end(), glance.bad.begin(), glance.bad.end());
    report["unread"] = filesJson(unread, kMostListed);
    report["unreadCount"] = unread.size();
    report["notes"] = parts.notes;
    return jsonText(report);
}

Result<std::string> checkFolder(const FolderQuestion& question, bool fix) {
    if (fix) {
        TY_ASSIGN(const formats::PackedPlace packed, formats::packedPlace(question.folder));
        if (packed.pack)
            return inputError("is a pack, and nothing can be moved out of it",
                              printable(question.folder.string(), 4096),
                              "leave --fix out; mend the folder that was packed, and pack it again");
    }
    TY_ASSIGN(const ImageParts parts, listed(question));
    Check check(parts);
    TY_TRY(check.run());
    Json report{{"folder", question.folder.string()}};
    check.write(report);
    report["notes"] = parts.notes;
    if (fix) {
        const fs::path aside = asideOf(question.folder);
        TY_ASSIGN(report["moved"], moveAside(check.bad(), question.folder, aside));
        report["movedTo"] = aside.string();
    }
    return jsonText(report);
}

} // namespace trainyard::train
