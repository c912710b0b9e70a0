// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/service_files.h"

#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"

#include <unistd.h>

#include <cstdint>
#include <utility>

namespace trainyard::serve {
namespace {

constexpr std::size_t kMostWaiting = 8 << 20; // bytes of lines, while the disk hangs

} // namespace

ServiceFiles::ServiceFiles(const ServiceFolder& folder, const std::string& follow, int bell)
    : m_folder(folder), m_bell(bell), m_access(folder.accessLog()), m_figures(folder.figures()) {
    if (!follow.empty()) m_watch.emplace(folder.root.parent_path().parent_path(), follow);
    std::error_code ignored;
    m_tokenAt = std::filesystem::last_write_time(folder.token(), ignored);
}

void ServiceFiles::begin() {
    m_changed.notifyOne();
    if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
}

void ServiceFiles::tell(std::string lines) {
    if (lines.empty()) return;
    {
        const MutexLock lock(m_mutex);
        if (m_work.lines.size() < kMostWaiting) m_work.lines += lines;
    }
    begin();
}

void ServiceFiles::tell(ServiceStatus status) {
    {
        const MutexLock lock(m_mutex);
        m_work.status = std::move(status);
    }
    begin();
}

void ServiceFiles::keep(const ServiceSpec& spec) {
    {
        const MutexLock lock(m_mutex);
        m_work.spec = serviceJson(spec);
    }
    begin();
}

ServiceFiles::News ServiceFiles::news() {
    m_hasNews = false;
    const MutexLock lock(m_mutex);
    return std::exchange(m_news, {});
}

void ServiceFiles::finish() {
    {
        const MutexLock lock(m_mutex);
        m_isOver = true;
    }
    m_changed.notifyOne();
    if (m_thread.joinable()) m_thread.join();
}

void ServiceFiles::work() {
    MutexLock lock(m_mutex);
    for (;;) {
        while (!m_work.isSome() && !m_isOver) m_changed.wait(lock);
        if (!m_work.isSome()) return;
        const Work work = std::exchange(m_work, {});
        lock.unlock();
        News news = act(work);
        lock.lock();
        if (news.trouble) m_news.trouble = std::move(news.trouble);
        if (news.token) m_news.token = std::move(news.token);
        if (news.better) m_news.better = std::move(news.better);
        m_hasNews = true;
        const std::uint64_t one = 1; // a checkpoint of a run that is followed may be gone in a moment
        (void)!::write(m_bell, &one, sizeof one);
    }
}

ServiceFiles::News ServiceFiles::act(const Work& work) {
    News news;
    m_access.append(work.lines);
    const auto note = [&](const Result<void>& written) {
        if (!written || !news.trouble) news.trouble = written ? std::string() : written.error().text();
    };
    if (!work.spec.empty()) m_spec = work.spec;
    if (!m_spec.empty()) { // on a full disk: again with the next state
        const auto written = writeFileAtomic(m_folder.spec(), m_spec);
        if (written) m_spec.clear();
        note(written);
    }
    if (!work.status) return news;
    m_figures.add(*work.status, wallClockMs());
    note(writeState(m_folder, *work.status));
    takeToken(news);
    if (m_watch && work.status->state == ServiceState::Ready) news.better = m_watch->look(monotonicSeconds());
    return news;
}

// One that was renewed counts from then on.
void ServiceFiles::takeToken(News& news) {
    std::error_code problem;
    const auto writtenAt = std::filesystem::last_write_time(m_folder.token(), problem);
    if (problem || writtenAt == std::exchange(m_tokenAt, writtenAt)) return;
    if (const auto token = tokenOf(m_folder)) news.token = *token;
}

} // namespace trainyard::serve
