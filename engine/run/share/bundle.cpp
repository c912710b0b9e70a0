// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/bundle.h"

#include "engine/base/files/tar_archive.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/names.h"
#include "engine/base/text/printable.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/share/copy_record.h"
#include "engine/run/share/temporary_workspace.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

namespace trainyard::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabase = "trainyard.db"; // the first member: by it a bundle is known
constexpr const char* kSums = "SHA256SUMS";       // the last one, as sha256sum prints it

std::string runPath(const std::string& run) { return "runs/" + run; }

// Those that go into the bundle, oldest first.
Result<std::vector<store::CheckpointRow>> chosenOf(store::RunQuery& query, const std::string& run,
                                                   const BundledCheckpoints& chosen) {
    TY_ASSIGN(auto rows, query.checkpoints(run));
    if (!chosen) return rows;
    std::set<std::string> paths;
    for (const auto& each : *chosen) {
        TY_ASSIGN(const auto row, query.checkpoint(run + "@" + each));
        paths.insert(row.path);
    }
    std::erase_if(rows, [&](const auto& row) { return !paths.contains(row.path); });
    return rows;
}

// Gathers the members of a bundle.
class BundleWriter {
public:
    static Result<BundleWriter> make() {
        TY_ASSIGN(auto workspace, TemporaryWorkspace::make("trainyard-bundle"));
        return BundleWriter(std::move(workspace));
    }

    Result<void> add(store::RunQuery& query, store::Store& store, store::RunRow row, const BundledCheckpoints& chosen) {
        if (wire::isActive(row.status))
            return inputError("is running", "run " + printable(row.name, 60), "stop it, or wait until it has ended")
                .withCode(ErrorCode::AlreadyRunning);
        TY_ASSIGN(auto checkpoints, chosenOf(query, row.id, chosen));
        const RunFolder folder{row.folder};
        const std::string place = runPath(row.id);
        for (const fs::path& file :
             {folder.runFile(), folder.evaluationFile(), folder.startCheckpoint(), folder.root / "curves.svg"})
            addIfThere(place, file);
        std::error_code none;
        std::vector<fs::path> logs;
        for (const auto& each : fs::directory_iterator(folder.logs(), none)) logs.push_back(each.path());
        std::sort(logs.begin(), logs.end());
        for (const fs::path& log : logs) addIfThere(place + "/logs", log);
        for (auto& checkpoint : checkpoints) {
            const fs::path file = checkpoint.path;
            if (!addIfThere(place + "/checkpoints", file))
                return inputError("is not there, so the run cannot be bundled", "checkpoint " + file.string(),
                                  "bring its file back, or leave it out: --checkpoint STEP for those that are there")
                    .withCode(ErrorCode::FileMissing);
            checkpoint.path = place + "/checkpoints/" + file.filename().string();
        }
        // Only runs of trainyard-worker go on elsewhere.
        if (const auto launch = readLaunchRecord(folder); launch && !launch->program) {
            const RunFolder own{(*m_workspace).runFolder(row.id)};
            std::error_code failure;
            fs::create_directories(own.root, failure);
            TY_TRY(writeLaunchRecord(own, {RunId(row.id), {}, {}, std::nullopt}));
            addIfThere(place, own.launchFile());
        }
        row.folder = place;
        row.sweep.clear();
        row.trial = -1;
        TY_TRY(copyRecord(query, row, checkpoints, store));
        return {};
    }

    // After the store was closed.
    Result<void> write(const fs::path& archive) {
        m_members.insert(m_members.begin(), {kDatabase, (*m_workspace).database()});
        std::string sums;
        for (const TarMember& member : m_members) {
            TY_ASSIGN(const std::string digest, sha256HexOf(member.file));
            sums += digest + "  " + member.path + "\n";
        }
        const fs::path file = (*m_workspace).root / kSums;
        TY_TRY(writeFileAtomic(file, sums, Outlives::Process));
        m_members.push_back({kSums, file});
        return writeTar(archive, m_members);
    }

    const store::Workspace& workspace() const { return *m_workspace; }

private:
    explicit BundleWriter(TemporaryWorkspace workspace) : m_workspace(std::move(workspace)) {}

    bool addIfThere(const std::string& folder, const fs::path& file) {
        std::error_code none;
        if (!fs::is_regular_file(file, none)) return false;
        m_members.push_back({folder + "/" + file.filename().string(), file});
        return true;
    }

    TemporaryWorkspace m_workspace;
    std::vector<TarMember> m_members;
};

// Unpacks a bundle and compares every file with its digest. `all`: false for the database alone, whose digest comes
// last and is not compared then.
Result<void> unpackBundle(const fs::path& archive, const fs::path& folder, bool all) {
    TY_ASSIGN(TarReader reader, TarReader::open(archive));
    std::map<std::string, std::string> digests;
    std::string sums;
    while (sums.empty() && (all || digests.empty())) {
        TY_ASSIGN(const auto entry, reader.next());
        if (!entry) return reader.fail("ends without the digests of its files");
        const std::string& path = entry->path;
        const bool isKnown = digests.empty() ? path == kDatabase : path == kSums || path.starts_with("runs/");
        if (!entry->isFile || !isKnown || !isPlainPath(path) || digests.contains(path))
            return reader.fail("is not a bundle of Trainyard: " + printable(path, 60) + " does not belong there");
        if (!reader.isWhole()) return reader.fail("is cut short within " + printable(path, 60));
        std::error_code failure;
        fs::create_directories((folder / path).parent_path(), failure);
        Sha256 digest;
        TY_TRY(writeFileAtomic(folder / path, static_cast<std::size_t>(entry->bytes), [&](const ByteSink& sink) {
            return reader.read([&](std::span<const std::byte> piece) {
                digest.add(piece.data(), piece.size());
                return sink(piece);
            });
        }));
        if (path == kSums) {
            TY_ASSIGN(sums, readFile(folder / path));
            break;
        }
        digests[path] = digest.hex();
    }
    if (!all) return {};
    std::string expected;
    std::istringstream lines(sums);
    std::size_t listed = 0;
    for (std::string line; std::getline(lines, line); ++listed) {
        const std::string path = line.size() > 66 ? line.substr(66) : std::string();
        const auto found = digests.find(path);
        if (found == digests.end() || line.substr(0, 66) != found->second + "  ")
            return reader.fail(printable(path, 60) + " differs from its digest");
    }
    if (listed != digests.size()) return reader.fail("has files without a digest");
    return {};
}

// The folder of a run, unpacked, becomes that of the workspace.
Result<void> moveFolder(const fs::path& from, const fs::path& to) {
    std::error_code failure;
    fs::create_directories(to.parent_path(), failure);
    if (fs::exists(to, failure))
        return environmentError("exists already, but no run uses it", to.string(), "move it away");
    if (!fs::exists(from, failure)) return {}; // an imported run has none
    fs::rename(from, to, failure);
    if (failure) return environmentError("cannot be made: " + failure.message(), to.string());
    return {};
}

// One run of an unpacked bundle, whose paths become those of the workspace.
Result<BundledRun> addRun(const store::Workspace& workspace, const store::Workspace& unpacked, store::RunQuery& query,
                          const store::RunRow& given, store::Store& store) {
    BundledRun added{.row = given, .isNew = true};
    TY_ASSIGN(auto checkpoints, query.checkpoints(given.id));
    const RunFolder folder{workspace.runFolder(given.id)};
    const RunFolder source{unpacked.runFolder(given.id)};
    for (auto& checkpoint : checkpoints) {
        const fs::path name = fs::path(checkpoint.path).filename();
        std::error_code none;
        if (!fs::is_regular_file(source.checkpoints() / name, none))
            return inputError("lacks the checkpoint " + printable(name.string(), 60), "run " + printable(given.id, 60));
        checkpoint.path = (folder.checkpoints() / name).string();
    }
    added.row.folder = folder.root.string();
    TY_TRY(moveFolder(source.root, folder.root));
    const auto recorded = [&]() -> Result<CopiedRecord> {
        std::error_code none;
        if (fs::exists(folder.launchFile(), none)) {
            const auto start = folder.startCheckpoint();
            TY_TRY(writeLaunchRecord(folder, {RunId(given.id), fs::absolute(workspace.root).string(),
                                              fs::exists(start, none) ? start.string() : std::string(), std::nullopt}));
        }
        return copyRecord(query, added.row, checkpoints, store);
    }();
    if (!recorded) {
        std::error_code ignored;
        fs::remove_all(folder.root, ignored);
        return recorded.error();
    }
    added.series = recorded->series;
    added.points = recorded->points;
    return added;
}

} // namespace

Result<BundledCheckpoints> bundledCheckpoints(const std::vector<std::string>& words) {
    const auto has = [&words](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    if (words.size() > 1 && (has("all") || has("none")))
        return inputError("all and none cannot be combined with others", "--checkpoint",
                          "name best, last and steps, or one of the two");
    if (words.empty() || has("all")) return BundledCheckpoints();
    if (has("none")) return BundledCheckpoints(std::in_place);
    return BundledCheckpoints(words);
}

Result<void> writeBundle(const store::Workspace& workspace, const std::vector<std::string>& runs,
                         const fs::path& archive, const BundledCheckpoints& checkpoints) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(auto writer, BundleWriter::make());
    {
        TY_ASSIGN(const auto store, store::Store::open(writer.workspace()));
        for (const std::string& run : runs) {
            TY_ASSIGN(auto row, query->run(run));
            TY_TRY(writer.add(*query, *store, std::move(row), checkpoints));
        }
    }
    return writer.write(archive);
}

bool isBundle(const fs::path& file) {
    auto reader = TarReader::open(file);
    if (!reader) return false;
    const auto entry = reader->next();
    return entry && *entry && (*entry)->path == kDatabase && (*entry)->isFile;
}

Result<std::vector<store::RunRow>> runsOfBundle(const fs::path& archive) {
    TY_ASSIGN(const auto unpacked, TemporaryWorkspace::make("trainyard-bundle"));
    TY_TRY(unpackBundle(archive, (*unpacked).root, false));
    TY_ASSIGN(const auto query, store::RunQuery::open(*unpacked));
    return query->runs(true);
}

Result<void> addBundle(const store::Workspace& workspace, const fs::path& archive, const std::vector<std::string>& runs,
                       const std::function<bool()>& begins, const std::function<void(const BundledRun&)>& told) {
    // On the disk of the workspace, so that folders are moved, not copied.
    TY_ASSIGN(const auto unpacked, TemporaryWorkspace::make(".bundle", workspace.root));
    TY_TRY(unpackBundle(archive, (*unpacked).root, true));
    TY_TRY(store::Store::open(*unpacked)); // of an earlier version: it becomes one of this
    TY_ASSIGN(const auto query, store::RunQuery::open(*unpacked));
    TY_ASSIGN(const auto here, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto store, store::Store::open(workspace));
    TY_ASSIGN(const auto known, here->runs(true));
    TY_ASSIGN(const auto rows, query->runs(true));
    for (const std::string& run : runs) {
        if (!begins()) return {};
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.id == run; });
        if (row == rows.end() || !isPlainId(run))
            return inputError("holds no run " + printable(run, 60), archive.string());
        const auto same = std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.id == run; });
        if (same != known.end()) {
            told({.row = *same});
            continue;
        }
        TY_ASSIGN(const auto added, addRun(workspace, *unpacked, *query, *row, *store));
        told(added);
    }
    return {};
}

} // namespace trainyard::run
