// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/hosts/hosts_clean.h"

#include "engine/base/json_text.h"
#include "engine/run/launch/host_tasks.h"
#include "remote/files/host_cache.h"
#include "remote/hosts/connect.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace trainyard::ctl {
namespace {

using remote::CachedItem;
using remote::Stays;

struct HostCache {
    std::shared_ptr<remote::SshSession> session;
    remote::HostBasics basics;
    std::vector<CachedItem> items;
    std::vector<Stays> stays; // of each item
};

Result<HostCache> readCache(const remote::HostEntry& host, const remote::ConnectOptions& connect) {
    HostCache cache;
    TY_ASSIGN(cache.session, remote::connectToHost(host, connect));
    TY_ASSIGN(cache.basics, remote::askBasics(*cache.session));
    TY_ASSIGN(cache.items, remote::readHostCache(*cache.session, cache.basics));
    return cache;
}

Result<HostCache> removeWhatGoes(HostCache cache) {
    for (std::size_t i = 0; i < cache.items.size(); ++i)
        if (cache.stays[i] == Stays::No) TY_TRY(remote::removeItem(*cache.session, cache.basics, cache.items[i]));
    return cache;
}

const char* wordOf(CachedItem::Kind kind) {
    switch (kind) {
    case CachedItem::Kind::Worker: return "worker";
    case CachedItem::Kind::Data: return "data";
    case CachedItem::Kind::Run: return "run";
    }
    return "";
}

std::string resultOf(Stays stays, bool dryRun) {
    switch (stays) {
    case Stays::No: return dryRun ? "would be freed" : "freed";
    case Stays::InUse: return "kept: in use";
    case Stays::Newer: return "kept: has a checkpoint that is not here; resume the run";
    case Stays::Unknown: return "kept: not a run of this workspace";
    case Stays::Output: return "kept: has files that its program has written";
    }
    return {};
}

Json cacheJson(const remote::HostEntry& host, const HostCache& cache) {
    Json items = Json::array();
    std::int64_t freed = 0;
    for (std::size_t i = 0; i < cache.items.size(); ++i) {
        const auto& item = cache.items[i];
        if (cache.stays[i] == Stays::No) freed += item.bytes;
        items.push_back({{"kind", wordOf(item.kind)},
                         {"name", item.name},
                         {"path", cache.basics.cache + "/" + item.path},
                         {"bytes", item.bytes},
                         {"freed", cache.stays[i] == Stays::No},
                         {"kept_for", toString(cache.stays[i])}});
    }
    return {{"host", host.alias}, {"freed_bytes", freed}, {"items", std::move(items)}};
}

void print(const std::vector<remote::HostEntry>& hosts, const std::vector<HostCache>& caches, bool dryRun) {
    std::vector<std::vector<std::string>> table{{"host", "what", "name", "size", ""}};
    std::int64_t freed = 0;
    for (std::size_t at = 0; at < hosts.size(); ++at)
        for (std::size_t i = 0; i < caches[at].items.size(); ++i) {
            const auto& item = caches[at].items[i];
            if (caches[at].stays[i] == Stays::No) freed += item.bytes;
            table.push_back({hosts[at].alias, wordOf(item.kind), item.name, bytesText(item.bytes),
                             resultOf(caches[at].stays[i], dryRun)});
        }
    if (table.size() > 1) printTable(table);
    std::printf("%s %s\n", bytesText(freed).c_str(), dryRun ? "would be freed" : "freed");
}

// Side by side on all hosts; the first error when there is one.
template <class Work>
Result<std::vector<HostCache>> onAll(std::size_t count, Work work) {
    std::vector<std::optional<Result<HostCache>>> ends(count);
    run::HostTasks tasks;
    for (std::size_t at = 0; at < count; ++at)
        tasks.start<Result<HostCache>>(
            std::to_string(at), [work, at] { return work(at); },
            [&ends, at](Result<HostCache> end) { ends[at].emplace(std::move(end)); });
    tasks.finish();
    std::vector<HostCache> caches;
    for (auto& end : ends) {
        TY_ASSIGN(auto cache, std::move(*end));
        caches.push_back(std::move(cache));
    }
    return caches;
}

} // namespace

std::map<std::string, std::int64_t> newestHere(store::RunQuery& query, const std::vector<remote::CachedItem>& items) {
    std::map<std::string, std::int64_t> newest;
    for (const auto& item : items) {
        if (item.kind != CachedItem::Kind::Run) continue;
        if (const auto run = query.run(item.name); !run || run->id != item.name) continue; // found by another's name
        std::int64_t& step = newest.emplace(item.name, -1).first->second;
        const auto rows = query.checkpoints(item.name);
        std::error_code ignored;
        for (const auto& row : rows ? *rows : std::vector<store::CheckpointRow>{})
            if (std::filesystem::exists(row.path, ignored)) step = std::max(step, row.step);
    }
    return newest;
}

Result<int> cleanHosts(const Session& session, const std::vector<remote::HostEntry>& hosts,
                       const remote::ConnectOptions& connect, bool dryRun) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(auto caches,
              onAll(hosts.size(), [hosts, connect](std::size_t at) { return readCache(hosts[at], connect); }));
    for (auto& cache : caches) cache.stays = judgeCache(cache.items, newestHere(*open.query, cache.items));
    if (!dryRun) {
        TY_ASSIGN(caches, onAll(hosts.size(), [caches](std::size_t at) { return removeWhatGoes(caches[at]); }));
    }
    if (!session.json) {
        print(hosts, caches, dryRun);
        return 0;
    }
    Json list = Json::array();
    for (std::size_t at = 0; at < hosts.size(); ++at) list.push_back(cacheJson(hosts[at], caches[at]));
    return printJson(list);
}

} // namespace trainyard::ctl
