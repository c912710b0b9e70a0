// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <memory>

namespace trainyard::run {

// A run's points as a TensorBoard event file that grows while it trains. Each supervisor writes a file of its own, so
// that no record stands behind one that a crash has cut off. Points that cannot be written now (disk full) are kept, up
// to a limit, and tried again with the next ones; the file never holds a part of a record.
class TensorBoardLog {
public:
    // Makes `folder` and the file in it. Environment when that fails.
    static Result<std::unique_ptr<TensorBoardLog>> open(const std::filesystem::path& folder, const std::string& run);

    void add(const wire::Metrics& delta);
    void rewind(std::int64_t toStep); // the points after it will be repeated
    const std::filesystem::path& path() const { return m_path; }

private:
    TensorBoardLog(UniqueFd fd, std::filesystem::path path) : m_fd(std::move(fd)), m_path(std::move(path)) {}
    void write(const std::string& records);

    UniqueFd m_fd;
    std::filesystem::path m_path;
    std::string m_pending;
    std::int64_t m_size = 0; // of whole records in the file
};

} // namespace trainyard::run
