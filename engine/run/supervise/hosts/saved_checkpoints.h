// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/checkpoint_structure.h"
#include "engine/run/record/program_checkpoint_book.h"
#include "engine/run/record/unsaved_checkpoints.h"
#include "engine/run/supervise/hosts/checkpoint_copies.h"
#include "engine/run/supervise/hosts/copy_queue.h"
#include "engine/run/supervise/hosts/host_calls.h"
#include "engine/run/supervise/hosts/run_task.h"
#include "engine/run/supervise/journal/run_journal.h"

namespace trainyard::run {

// A run's checkpoints, from a rank's report of a save to the row in the store. Checkpoints on hosts are copied here
// first. Also handles those that cannot be saved. Those of a program are the user's: they are listed where they are,
// and never deleted; copies of them are, as the run file says (program.checkpoints.copy).
class SavedCheckpoints {
public:
    // Of users who wait for a checkpoint.
    struct Requests {
        std::function<bool(std::int64_t step)> isAsked;
        // Those up to `step` are recorded, or why that one is not.
        std::function<void(std::int64_t step, const Result<void>& saved)> settle;
    };
    // All of them outlive it.
    SavedCheckpoints(const RunTask& task, HostCalls& calls, RunJournal& journal, Requests requests);

    void load(std::vector<store::CheckpointRow> rows);                    // as the store has them
    void saved(const HostName& host, const wire::CheckpointSaved& saved); // empty host: here
    void notSaved(std::int64_t step, Error cause);
    bool isCopying() const { return m_copies.count() > 0 || (m_program && m_program->copies.isCopying()); }
    // A copy that a lost connection has cut short begins again, from time to time for failure.linkSeconds, unless the
    // run is to stop. Called by the loop, about once a second.
    void serve(double now);
    void waitForLinks(bool may);       // false: none begins again, until it is true
    bool has(std::int64_t step) const; // recorded

    // Files and points that are here, and that no supervisor came to record.
    void adopt();
    std::int64_t newestStepHere() const; // recorded, or still to be adopted; -1: none
    // Where the run can go on. Damaged ones leave the list; `damage` says so.
    std::optional<store::CheckpointRow> newestGood(std::string& damage);
    // Of a program: those of `fromStep` and later are not gone on from, for this reason. False: none is left.
    bool passOver(std::int64_t fromStep, const std::string& why);
    // The program that began from the last newestGood() has failed; if that has turned out bad, it is passed over.
    void noteProgramEnd(bool byItself);

    // For a run that ends at `step` and should have saved it; `ending`: "trained" or "stopped". Environment if lost.
    Result<void> atTheEnd(const char* ending, std::int64_t step) const;
    std::string unsavedNotice() const { return m_unsaved.notice(); } // empty: all were saved

private:
    void copyNext();
    void copied(const CopyQueue::Copy& copy, const std::filesystem::path& path, const Result<void>& fetched);
    void giveUpLost();
    void giveUp(const CopyQueue::Copy& copy, const Error& cause);
    bool waitsForLink(const CopyQueue::Copy& copy, const Error& error);
    void notCopied(const CopyQueue::Copy& copy, Error cause);
    void record(const wire::CheckpointSaved& saved, const std::filesystem::path& path);
    void recordOfProgram(const HostName& host, wire::CheckpointSaved saved);
    void list(const wire::CheckpointSaved& saved);
    void takeCopies();
    void saySaved(const wire::CheckpointSaved& saved);
    program::StructureLook lookAt(const std::string& recorded);
    std::optional<store::CheckpointRow> newestOfProgram(std::string& damage);
    const std::vector<store::CheckpointRow>& rows() const;

    const RunFolder& m_folder;
    HostCalls& m_calls;
    RunJournal& m_journal;
    Requests m_requests;
    CheckpointBook m_book;
    // Of a run whose ranks are a program, and what it has begun from.
    struct Program {
        ProgramCheckpointBook book;
        CheckpointCopies copies;
        std::string copy{};      // which: none, best, all
        int keep = 0;            // of all; 0: all
        std::string begunFrom{}; // empty: from the beginning
        double begunAt = 0;      // monotonic seconds
        std::int64_t newestPoint = 0;
        double saidAt = -1e9; // in the log, monotonic seconds
        int unsaid = 0;       // since
    };
    std::optional<Program> m_program;
    UnsavedCheckpoints m_unsaved;
    CopyQueue m_copies;
    const double m_linkSeconds;
    int m_begun = 0; // copies; what an earlier one brings was given up
    struct LostCopy {
        CopyQueue::Copy copy;
        Error cause;
        double again = 0; // when it begins, monotonic seconds
    };
    std::optional<LostCopy> m_lost;    // the first of the queue, with or without another try under way
    std::optional<double> m_lostSince; // when the first of those failed that have since the last one came
    bool m_mayWait = true;
};

} // namespace trainyard::run
