// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series/tensorboard_log.h"

#include "engine/base/clock.h"
#include "engine/store/files/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard::run {
namespace {

constexpr std::size_t kMaxPending = 16u << 20;

double wallSeconds() { return static_cast<double>(wallClockMs()) / 1000; }

} // namespace

Result<std::unique_ptr<TensorBoardLog>> TensorBoardLog::open(const std::filesystem::path& folder,
                                                             const std::string& run) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return environmentError("cannot make the folder: " + failure.message(), folder.string());
    const auto path = folder / store::eventFileName(wallClockMs(), run + "." + std::to_string(::getpid()));
    UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!fd) return systemError("cannot create the event file", path.string());
    std::unique_ptr<TensorBoardLog> log(new TensorBoardLog(std::move(fd), path));
    log->write(store::eventFileHeader(wallSeconds()));
    return log;
}

void TensorBoardLog::add(const wire::Metrics& delta) {
    const double now = wallSeconds();
    std::string records;
    for (const auto& series : delta.series)
        for (const auto& point : series.points)
            records += store::scalarEvent(series.series, point.step, now, point.value);
    write(records);
}

void TensorBoardLog::rewind(std::int64_t toStep) { write(store::restartEvent(toStep + 1, wallSeconds())); }

void TensorBoardLog::write(const std::string& records) {
    if (m_pending.size() < kMaxPending) m_pending += records;
    std::size_t done = 0;
    while (done < m_pending.size()) {
        const ssize_t put = ::pwrite(m_fd.get(), m_pending.data() + done, m_pending.size() - done,
                                     static_cast<off_t>(m_size) + static_cast<off_t>(done));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) { // all of it again next time
            [[maybe_unused]] const int cut = ::ftruncate(m_fd.get(), static_cast<off_t>(m_size));
            return;
        }
        done += static_cast<std::size_t>(put);
    }
    m_size += static_cast<std::int64_t>(done);
    m_pending.clear();
}

} // namespace trainyard::run
