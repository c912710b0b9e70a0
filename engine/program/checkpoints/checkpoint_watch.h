// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/checkpoint_structure.h"
#include "engine/program/checkpoints/open_writers.h"
#include "engine/program/checkpoints/program_folders.h"

#include <map>
#include <set>

namespace trainyard::program {

// A checkpoint that a program has saved, and that is complete.
struct SavedByProgram {
    std::string path; // absolute
    bool isFolder = false;
    std::uint64_t bytes = 0;
    std::int64_t changedMs = 0;         // when its last byte was written, by the clock of its disk
    std::optional<std::int64_t> step{}; // from its name, else from what it says; nothing: of the last point before it
    std::optional<double> epoch{};
};

// Rule: the step and epoch of a checkpoint.
// A word in its name counts most, then trainer_state.json and the file's own numbers, then a number in the name alone.
void resolveProgress(const CheckpointName& name, const StructureLook& look, SavedByProgram& saved);

// Finds the checkpoints of a program that runs, and tells each when it is complete. Each time it is written anew, it is
// told again. Called about once a second; most of it is one look at each folder.
class CheckpointWatch {
public:
    // Looks below these folders, whether they are there yet or come later; the rules' own roots do not count.
    CheckpointWatch(std::vector<std::filesystem::path> folders, FinderRules rules)
        : m_folders(std::move(folders)), m_listing(std::move(rules)) {}

    // Those that have become complete since the last look, the oldest first. `now` in seconds of a clock that never
    // jumps; `groups`: processes and process groups of the run.
    std::vector<SavedByProgram> look(double now, const std::set<pid_t>& groups);
    // The same once the program has ended. Where the structure tells nothing, it must have ended `well`.
    std::vector<SavedByProgram> lookAtTheEnd(double now, bool well);
    // What the computer's clock says, before a look: it may be set back while the program runs.
    void clockIs(std::int64_t wallMs) {
        if (wallMs < m_listing.rules().startedMs) m_listing.clockWasSetBack(wallMs);
    }
    // The program says that this file or folder is one, whatever it is called.
    void name(const std::filesystem::path& path);
    // Whether one is being written: a stop waits for it.
    bool isWriting() const { return m_writing; }

private:
    struct Seen {
        std::vector<ListedFile> files{};
        double since = 0; // unchanged
        std::optional<StructureLook> look{};
        bool told = false;
        bool isAgain = false; // it has been written anew before it was quiet
    };
    static double quietFor(const FoundCheckpoint& found, const Seen& seen, double now);
    bool mayBeTold(const FoundCheckpoint& found, Seen& seen, double now) const;
    std::vector<SavedByProgram> tell(const std::vector<const FoundCheckpoint*>& ready, double now,
                                     const std::set<pid_t>& groups);
    bool isOpen(const FoundCheckpoint& found, const std::set<FileId>& writers) const;
    void settle(const FoundCheckpoint& found, const Seen& seen, double now);

    std::vector<std::filesystem::path> m_folders;
    ProgramFolders m_listing;
    std::map<std::string, Seen> m_seen{};
    std::set<std::string> m_settled{}; // told, unchanged for a minute, and of a name that no other will take
    std::uint64_t m_looks = 0;
    bool m_writing = false;
};

} // namespace trainyard::program
