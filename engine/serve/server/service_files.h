// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/serve/control/figure_log.h"
#include "engine/serve/control/service_folder.h"
#include "engine/serve/server/access_log.h"
#include "engine/serve/server/run_watch.h"

#include <atomic>
#include <optional>
#include <string>
#include <thread>

namespace trainyard::serve {

// What a server writes into its folder and reads from disks while it serves, in a thread of its own: no request waits
// for a disk that is slow, full or busy. The functions are for one thread and do not wait, but for finish().
class ServiceFiles {
public:
    // `follow`: the run whose better checkpoints are looked for; empty: none. `bell`: an eventfd, rung with news.
    ServiceFiles(const ServiceFolder& folder, const std::string& follow, int bell);
    ~ServiceFiles() { finish(); }

    // Lines of the access log; state.json and the figures. The thread begins with the first call, after the caller has
    // blocked its signals. A state that is not written yet is replaced.
    void tell(std::string lines);
    void tell(ServiceStatus status);
    // service.json, so that the next server begins with it.
    void keep(const ServiceSpec& spec);

    // What has come of it and was read since the last call.
    struct News {
        std::optional<std::string> trouble; // why the last file could not be written; empty: it was
        std::optional<std::string> token;   // another one than before
        std::optional<ServedModel> better;  // a better checkpoint of the run that is followed
    };
    bool hasNews() const { return m_hasNews; }
    News news();
    // Returns once all of it is written, and the thread has ended.
    void finish();

private:
    struct Work {
        std::string lines, spec;
        std::optional<ServiceStatus> status;
        bool isSome() const { return !lines.empty() || !spec.empty() || status; }
    };
    void begin();
    void work();
    News act(const Work& work);
    void takeToken(News& news);

    const ServiceFolder m_folder;
    const int m_bell;
    std::atomic<bool> m_hasNews = false;
    // Of the thread.
    AccessFile m_access;
    FigureLog m_figures;
    std::optional<RunWatch> m_watch;
    std::string m_spec;                          // that could not be written yet
    std::filesystem::file_time_type m_tokenAt{}; // when its file was written

    Mutex m_mutex;
    Condition m_changed;
    Work m_work TY_GUARDED_BY(m_mutex);
    News m_news TY_GUARDED_BY(m_mutex);
    bool m_isOver TY_GUARDED_BY(m_mutex) = false;
    std::thread m_thread;
};

} // namespace trainyard::serve
