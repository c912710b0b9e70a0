// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the runs that live on one host into the copy here, and connects again whenever the link is lost.
#pragma once

#include "app/ctl/home/head_call.h"
#include "app/ctl/home/news_reader.h"
#include "engine/base/machine/mutex.h"
#include "engine/run/record/home_links.h"

#include <functional>
#include <set>
#include <vector>

namespace trainyard::ctl {

// The links of all hosts, as they are written for others to read. Thread-safe.
class LinkBook {
public:
    explicit LinkBook(store::Workspace workspace);
    void set(const std::string& host, run::HomeLink link);
    void lose(const std::string& host, const Error& error); // one that was lost before stays lost since then
    run::HomeLink of(const std::string& host);

private:
    Mutex m_mutex;
    const store::Workspace m_workspace;
    run::HomeLinks m_links TY_GUARDED_BY(m_mutex);
};

// Of one thread.
class HostMirror {
public:
    HostMirror(std::string host, store::Workspace workspace, LinkBook& links)
        : m_host(std::move(host)), m_workspace(std::move(workspace)), m_links(links) {}

    // Until no run is noted as living there any more.
    void follow();

private:
    Result<void> followOnce();
    Result<void> askForNew(run::MirrorCopy& copy, int to);
    Result<void> take(run::MirrorCopy& copy, int from);
    std::vector<run::HomeNote> noted() const; // of this host

    std::string m_host;
    store::Workspace m_workspace;
    LinkBook& m_links;
    std::set<std::string> m_asked; // in this connection
    NewsReader m_news;
    int m_failures = 0; // to connect, or to hear anything, since the last success
};

} // namespace trainyard::ctl
