// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/keep_rule.h"
#include "engine/run/record/series/series_book.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/store.h"

#include <optional>

namespace trainyard::run {

// Whether the word is the metadata "format" of a checkpoint: the trainer's, or one with a program's files.
bool isCheckpointFormat(const std::string& word);

// The step in the name of a checkpoint file, "step-00000120.safetensors"; -1: it is none.
std::int64_t checkpointStep(const std::string& fileName);

// A checkpoint file's own facts.
struct CheckpointFile {
    store::CheckpointRow row; // without an id; the files of one folder know which of them is the best and the last
    wire::Metrics points;     // the newest of each series, and those that its ranks saved without a supervisor
};
// The valid checkpoint files in a run's folder, in the order of RunQuery::checkpoints().
std::vector<CheckpointFile> checkpointFilesIn(const std::filesystem::path& folder,
                                              const spec::CheckpointPolicy& policy);

// The best valid checkpoint file in a folder, the earliest of equals; nothing if none has a score.
std::optional<store::CheckpointRow> bestCheckpointIn(const std::filesystem::path& folder,
                                                     const spec::CheckpointPolicy& policy);

// A run's checkpoints: the best, the last, and those that may be deleted.
class CheckpointBook {
public:
    explicit CheckpointBook(spec::CheckpointPolicy policy) : m_policy(std::move(policy)) {}

    void load(std::vector<store::CheckpointRow> rows);
    // The points that the newest file in the folder brings along, if it is newer than all in the list: its ranks saved
    // without a supervisor, and the store may lack them. None where they do not join on to what is stored: the run has
    // gone back since.
    wire::Metrics unstoredPoints(const std::filesystem::path& folder, const SeriesBook& stored) const;
    // Files that were saved but not yet recorded when the previous supervisor died are taken in when `stored`, what the
    // store has, holds every point measured before them: resuming from any other would leave a gap in the curves. Of
    // those others the newest is renamed to FILE.unrecorded; older strays and temporary files are deleted. A file of
    // another run is renamed to FILE.foreign. Returns what there is to say about it.
    std::vector<std::string> adopt(const std::filesystem::path& folder, const SeriesBook& stored);
    // Takes over the user's pins from the stored list, and checkpoints that were pinned while this book dropped them.
    void notePins(const std::vector<store::CheckpointRow>& stored);
    // Later ones leave the list, since the run has gone back; of those the pinned ones stay as superseded.
    void add(const wire::CheckpointSaved& saved, const std::filesystem::path& path, std::int64_t wallMs);
    // The newest one that is not superseded, passes every check of its format, and is of the step and has the metrics
    // that its row tells of. Damaged ones leave the list, renamed to FILE.damaged, those of another run or step to
    // FILE.foreign; `notice` says so.
    std::optional<store::CheckpointRow> newestGood(std::string& notice);
    // Drops the rows that the run file's rule does not keep (keep_rule.h); returns their files.
    std::vector<std::filesystem::path> prune();
    // For checkpoints still to come, in the order of saving: which ones prune() would keep if all were here.
    std::vector<bool> keptWhenHere(const std::vector<wire::CheckpointSaved>& coming) const;
    const std::vector<store::CheckpointRow>& rows() const { return m_rows; } // as RunQuery::checkpoints()

    std::int64_t newestStep() const; // that can be continued from; -1: none

private:
    std::vector<std::filesystem::path> unlisted(const std::filesystem::path& folder) const;
    std::vector<KeptFor> judge() const;
    void mark();
    void sort();

    spec::CheckpointPolicy m_policy;
    std::vector<store::CheckpointRow> m_rows;
};

} // namespace trainyard::run
