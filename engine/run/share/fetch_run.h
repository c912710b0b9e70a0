// SPDX-License-Identifier: GPL-3.0-or-later
// Fetching: a run that ended on another host becomes one of this workspace, and later gets news from there. Files
// arrive beside the run's folder and take their places once all are complete; the record follows in one transaction.
// After an interruption the run here is unchanged or complete, and the next fetch needs only the missing files.
#pragma once

#include "engine/base/text/name_of.h"
#include "engine/run/mirror/mirror_line.h"
#include "engine/run/share/bundle.h"

namespace trainyard::run {

// A file of the run on its host.
struct HostFile {
    std::string path; // below the run's folder there, or absolute
    std::int64_t bytes = 0;
    std::string digest; // SHA-256, hexadecimal
};

// A missing file, and its arrival path.
struct FileToBring {
    HostFile file;
    std::filesystem::path to;
};

// One fetch of one run. One thread.
class RunFetch {
public:
    // Holds the run against another fetch. Input: a run of this id is here that was not fetched, or that has been
    // trained on here since, and stays as it is. AlreadyRunning: it is being fetched.
    static Result<RunFetch> open(const store::Workspace& workspace, const HostName& host, const RunId& run);

    // What the record here has, to be asked of the host.
    Result<MirrorRequest> request();
    // Takes the host's news and the choice of checkpoints. Input: the run still trains, or has no such checkpoint.
    Result<void> take(MirrorNews news, const BundledCheckpoints& chosen);
    // The run's folder there, and the files in it of which the host has to tell size and digest: the checkpoints that
    // are not the same here already. Those beside them it tells in any case.
    std::string folderThere() const { return m_news.row->folder; }
    std::vector<std::string> wanted() const { return m_wanted; }
    // The files to fetch. Environment: a checkpoint is gone there, or a file here cannot be read.
    Result<std::vector<FileToBring>> plan(const std::vector<HostFile>& there);
    // Call it after the files have come.
    Result<BundledRun> commit();

private:
    RunFetch(store::Workspace workspace, RunId run, HostName host, store::RunLock lock,
             std::unique_ptr<store::RunQuery> query)
        : m_workspace(std::move(workspace)), m_run(std::move(run)), m_host(std::move(host)), m_lock(std::move(lock)),
          m_query(std::move(query)) {}
    std::filesystem::path arriving() const; // the folder beside that of the run
    bool isToCome(const HostFile& file, std::map<std::string, std::string>& noted) const;
    std::vector<store::CheckpointRow> rowsHere() const;
    Result<void> place();
    Result<void> record(const std::vector<store::CheckpointRow>& rows);

    store::Workspace m_workspace;
    RunId m_run;
    HostName m_host;
    store::RunLock m_lock;
    std::unique_ptr<store::RunQuery> m_query;
    MirrorNews m_news;
    std::vector<store::CheckpointRow> m_before, m_chosen; // the latter with their paths there
    std::vector<std::string> m_wanted;
    std::vector<FileToBring> m_coming;
    std::map<std::string, std::string> m_digests; // of the files beside the checkpoints, as they are there
};

} // namespace trainyard::run
