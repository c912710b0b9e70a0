// SPDX-License-Identifier: GPL-3.0-or-later
// The files in which frameworks keep metrics, found while a program writes them.
#pragma once

#include "engine/program/metrics/followed_file.h"

#include <set>
#include <vector>

namespace trainyard::program {

// Looks into folders for files with metrics that are written after the start, and follows them. A part: it reads the
// disk, and neither waits nor writes. At most kMostFolders folders of kMostDepth levels and kMostFiles files are
// followed; a folder of more than kMostEntries entries is one of data.
class FrameworkFiles {
public:
    static constexpr std::size_t kMostFolders = 2'000, kMostEntries = 2'000, kMostFiles = 200;
    static constexpr int kMostDepth = 8;

    struct Told {
        // `file`: its number, for ProgramSources::add()
        std::function<void(SourceKind kind, int file, const std::string& series, const imports::Point& point)> point;
        std::function<void(SourceKind kind, std::int64_t step)> beginsAgain;
        std::function<void(const std::string& notice)> notice; // once for each file that cannot be read, and limit
    };

    // What stands in the folders now was written before the start. Folders that do not exist yet may come; links below
    // them are not followed. `startMs`: milliseconds since 1970.
    FrameworkFiles(std::vector<std::filesystem::path> folders, std::int64_t startMs);

    // Tells what has come since the last look, by file in the order in which they were found. Once a second will do.
    void look(const Told& told);
    // The program has ended: the last look.
    void end(const Told& told);

    std::vector<std::filesystem::path> files() const; // that are followed

private:
    struct Folder {
        int depth = 0;
        std::int64_t changed = 0; // nanoseconds since 1970, when it was listed
        bool isData = false;
    };
    struct Candidate {
        std::int64_t size = 0; // at the last look
        int tries = 0;
    };
    struct Database {
        std::filesystem::path path{};
        std::string run{}; // the first that the program began
        std::int64_t lastRow = 0;
        int number = 0;
    };

    void scan(const Told* told);
    void list(const std::filesystem::path& path, Folder& folder, const Told* told);
    void candidate(const std::filesystem::path& file, const Told* told);
    void follow(const std::filesystem::path& file, FrameworkForm form, std::int64_t oldBytes);
    bool goesOn(const std::filesystem::path& file, FrameworkForm form);
    void lookAt(Database& database, const Told& told) const;
    void lookForNew(bool isEnd);
    void each(const Told& told, bool isEnd);
    bool isNew(std::int64_t changed) const; // nanoseconds since 1970
    void followClock(std::int64_t nowNs);
    void limit(const std::string& what, const Told* told);

    std::int64_t m_startMs, m_looks = 0;
    std::map<std::filesystem::path, Folder> m_folders{};
    std::map<std::filesystem::path, Candidate> m_candidates{}; // what they are is not known yet
    std::map<std::filesystem::path, std::int64_t> m_old{};     // sizes of files that stood there at the start
    std::set<std::filesystem::path> m_eventFolders{};
    std::vector<std::unique_ptr<FollowedFile>> m_files{};
    std::vector<Database> m_databases{};
    std::set<std::string> m_limits{}; // that were said
};

} // namespace trainyard::program
