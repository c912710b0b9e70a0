// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/pack_folder.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/folders/pack_writer.h"
#include "engine/torch/data/image_listing.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace trainyard::train {

namespace fs = std::filesystem;
using data::FileRole;
using data::FolderRole;
using formats::NameKind;

namespace {

constexpr std::size_t kMostLeftOut = 1000, kDeepestPacked = 32;

// "train/cat/1.jpg": "train"
std::string partOfPath(std::string_view path) {
    const std::size_t slash = path.find('/');
    switch (slash == std::string_view::npos ? FolderRole::Class : data::roleOf(path.substr(0, slash))) {
    case FolderRole::Train: return "train";
    case FolderRole::Validation: return "val";
    case FolderRole::Test: return "test";
    case FolderRole::Clutter:
    case FolderRole::Class: break;
    }
    return "data";
}

// What a folder holds that is packed, and what is not.
class FilesToPack {
public:
    Result<void> add(const fs::path& folder, const std::string& path) {
        std::error_code problem;
        const fs::path real = fs::canonical(folder, problem);
        if (m_around.size() == kDeepestPacked || std::find(m_around.begin(), m_around.end(), real) != m_around.end())
            return {}; // a link to a folder around it
        m_around.push_back(real);
        TY_ASSIGN(const formats::FolderNames names, formats::namesOnDisk(folder));
        const std::uint32_t number = m_files.folder(folder);
        std::vector<std::string> below;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string name(names.name(i));
            const NameKind kind = names.kind(i) == NameKind::Link ? formats::kindBehind(folder / name) : names.kind(i);
            if (kind == NameKind::Folder) {
                if (data::roleOf(name) != FolderRole::Clutter) below.push_back(name);
                continue;
            }
            const FileRole role = data::roleOfName(name);
            if (role == FileRole::Clutter) continue;
            if (kind != NameKind::File || role == FileRole::Unread) {
                if (m_leftOut.size() < kMostLeftOut) m_leftOut.push_back((folder / name).string());
                ++m_leftOutCount;
                continue;
            }
            if (role == FileRole::Image) ++m_pictures;
            m_files.add(number, name);
            m_paths.push_back(path + name);
        }
        for (const std::string& name : below) TY_TRY(add(folder / name, path + name + "/"));
        m_around.pop_back();
        return {};
    }

    // With the class of each picture, by the folders that are classes.
    std::vector<formats::FileToPack> files(const std::map<std::string, std::int64_t>& classes) const {
        const auto facts = formats::factsOf(m_files);
        std::vector<formats::FileToPack> files;
        std::string key;
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            formats::FileToPack file{m_paths[i], partOfPath(m_paths[i]), facts[i]};
            const auto known = classes.find(m_files.folderOf(i).string());
            if (known != classes.end() && data::roleOfName(m_files.nameOf(i)) == FileRole::Image) {
                // Names that differ behind their first dot share one label.
                const std::string stem = m_paths[i].substr(0, m_paths[i].find('.', m_paths[i].rfind('/') + 1));
                if (stem != key) file.label = known->second;
                key = stem;
            }
            files.push_back(std::move(file));
        }
        return files;
    }
    void write(Json& report) const {
        report["pictures"] = m_pictures;
        report["leftOut"] = m_leftOut;
        report["leftOutCount"] = m_leftOutCount;
    }

private:
    formats::FileNames m_files;
    std::vector<std::string> m_paths, m_leftOut;
    std::vector<fs::path> m_around;
    std::size_t m_pictures = 0, m_leftOutCount = 0;
};

std::map<std::string, std::int64_t> foldersOfClasses(const data::ImageParts& parts) {
    std::map<std::string, std::int64_t> classes;
    for (const data::ImageListing* part : {&parts.train, &parts.validation, &parts.test}) {
        const fs::path* last = nullptr;
        for (std::size_t i = 0; i < part->files.size(); ++i)
            if (const fs::path& folder = part->files.folderOf(i); std::exchange(last, &folder) != &folder)
                classes[folder.string()] = part->targets[i];
    }
    return classes;
}

fs::path withoutSlash(const fs::path& path) {
    fs::path real = fs::absolute(path).lexically_normal();
    return real.has_filename() ? real : real.parent_path();
}

} // namespace

Result<std::string> packFolder(const PackQuestion& question) {
    const fs::path folder = withoutSlash(question.folder);
    TY_ASSIGN(const formats::PackedPlace packed, formats::packedPlace(folder));
    if (packed.pack)
        return inputError("is a pack already", printable(folder.string(), 4096),
                          "train on it as it is: dataset.params.folder");
    formats::PackOrder order{.folder = folder, .out = withoutSlash(question.out)};
    order.archiveBytes = question.archiveBytes;
    FilesToPack found;
    TY_TRY(found.add(folder, {}));
    Json notes = Json::array();
    std::map<std::string, std::int64_t> classes;
    if (const auto parts = data::listImages(folder)) {
        classes = foldersOfClasses(*parts);
        order.classes = parts->train.classes;
    } else {
        notes.push_back("no classes are written beside the pictures, since the folders are none: " +
                        parts.error().text());
    }
    order.files = found.files(classes);
    TY_ASSIGN(const formats::PackMade made, formats::writePack(order));
    Json report{{"out", order.out.string()},         {"files", made.files}, {"archives", made.archives},
                {"keptArchives", made.keptArchives}, {"bytes", made.bytes}, {"notes", std::move(notes)}};
    found.write(report);
    return jsonText(report);
}

} // namespace trainyard::train
