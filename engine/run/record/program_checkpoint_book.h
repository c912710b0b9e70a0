// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/checkpoint_structure.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/store.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>

namespace trainyard::run {

// The checkpoints of a run whose ranks are a program: files and folders of the user's, listed where they are, and never
// moved, renamed or deleted. The program may write one anew, or delete it, at any time.
class ProgramCheckpointBook {
public:
    explicit ProgramCheckpointBook(spec::CheckpointPolicy policy) : m_policy(std::move(policy)) {}

    void load(std::vector<store::CheckpointRow> rows);
    // Takes over the user's pins from the stored list.
    void notePins(const std::vector<store::CheckpointRow>& stored);
    // One that is complete: a new one, or one of the list that was written anew. False: it is known, as another keeper
    // tells it again. Those that are gone leave the list.
    bool add(const wire::CheckpointSaved& saved, std::int64_t wallMs);

    // Where the run can go on: the one of the greatest step that is whole by its structure and has not turned out bad;
    // of several of that step the largest, which has most to go on with. What is cut or gone leaves the list; `notice`
    // says so.
    // `lookAt` looks at a recorded path, wherever that is; none: they are all here.
    using Look = std::function<program::StructureLook(const std::string& path)>;
    std::optional<store::CheckpointRow> newestGood(std::string& notice, const Look& lookAt = {});
    // The program could not go on from it: it is passed over for as long as this supervisor lives.
    void turnedOutBad(const std::string& path);
    // Those of this step and later ones are passed over, too, for this reason. False: there is none before it.
    bool passOver(std::int64_t fromStep, const std::string& why);
    // Takes the copies in `folder`, the run's own, from the list that are not kept: of all (`keep` 0: of none) but the
    // best, the newest `keep` and pinned ones; with `bestOnly` of all but that of the best checkpoint.
    std::vector<std::filesystem::path> dropCopies(const std::filesystem::path& folder, int keep, bool bestOnly);

    const std::vector<store::CheckpointRow>& rows() const { return m_rows; } // as RunQuery::checkpoints()
    std::int64_t newestStep() const;                                         // -1: none

private:
    void dropGone();
    void sort();

    spec::CheckpointPolicy m_policy;
    std::vector<store::CheckpointRow> m_rows{};
    std::map<std::string, std::string> m_bad{}; // by path, why
};

// Rule: when a program's checkpoint has turned out bad.
// The program, begun from it, has ended by itself within a minute and before its first point.
struct ProgramEnd {
    bool byItself = false; // with an error of its own; not by a signal, and not because a host was lost
    double seconds = 0;    // since it was begun
    bool hasPoints = false;
};
bool isBadCheckpoint(const ProgramEnd& end);

} // namespace trainyard::run
