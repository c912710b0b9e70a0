// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/fetch/sources.h"

#include <filesystem>
#include <functional>

namespace trainyard::fetch {

// How far a download is, in bytes.
struct DownloadProgress {
    std::string file;
    std::int64_t bytes = 0, total = 0; // of the file
};

// How a dataset is fetched.
struct DownloadOptions {
    std::filesystem::path folder;       // where the files go; made when it is not there
    std::vector<std::string> mirrors{}; // instead of the source's own
    double idleSeconds = 30;            // a silent server is given up after so long
    int tries = 3;                      // of each mirror, while bytes arrive
    std::function<void(const DownloadProgress&)> progress{};
};

// What a download brought.
struct DownloadReport {
    std::vector<std::string> fetched, present; // names of files
    std::int64_t bytes = 0;                    // that came over the network
};

// Brings every file of the source into the folder. A file appears under its name only when its SHA-256 is the published
// one; a partial download stays as NAME.part and is resumed from there, also in a later call or from another mirror. A
// file whose digest is wrong is removed and the next mirror is asked. Archives are unpacked, then removed. A second
// download of the same file waits for nothing: Input. Environment: no mirror served (each with its reason), disk full,
// libcurl missing. Blocks.
Result<DownloadReport> download(const Source& source, const DownloadOptions& options);

// The source of that name, or an Input error that lists them.
Result<const Source*> findSource(const std::string& name);

} // namespace trainyard::fetch
