// SPDX-License-Identifier: GPL-3.0-or-later
// The clusters that are up, and the hosts of a cluster file.
#pragma once

#include "engine/spec/cluster/cluster_file.h"
#include "remote/book/host_book.h"

#include <map>

namespace trainyard::remote {

// A cluster as it was last brought up.
struct ClusterRecord {
    spec::ClusterSpec spec;
    std::string file;               // it was read from; absolute
    std::vector<std::string> added; // aliases of the hosts that it brought into the list of hosts
};

// The clusters that are up, one file each (atomic, mode 0600). A value: load it and use it; put() and remove() save.
// Any thread, one at a time.
class ClusterBook {
public:
    // Empty path: configFolder()/clusters. A missing folder is an empty book; a malformed file is an Input error.
    static Result<ClusterBook> load(const std::filesystem::path& folder = {});

    const std::vector<ClusterRecord>& clusters() const { return m_clusters; }
    const ClusterRecord* find(std::string_view name) const;
    Result<void> put(ClusterRecord record); // in the place of one of the same name
    Result<void> remove(const std::string& name);

private:
    std::filesystem::path fileOf(const std::string& name) const { return m_folder / (name + ".json"); }

    std::filesystem::path m_folder;
    std::vector<ClusterRecord> m_clusters; // by name
};

// A host of a cluster file.
struct ClusterMember {
    HostEntry host;
    spec::HostNeeds needs;
    bool isListed = false; // it is in the list of hosts whether or not the cluster is up
};

// The hosts of a cluster in the order of its file. Input: a host is invalid, its alias means another host in the list
// of hosts, or it belongs to another cluster that is up.
Result<std::vector<ClusterMember>> membersOf(const spec::ClusterSpec& cluster, const HostBook& hosts,
                                             const ClusterBook& clusters);

// The variables that running clusters set for commands and ranks on their hosts, by alias.
std::map<std::string, std::map<std::string, std::string>> environmentsOf(const ClusterBook& clusters,
                                                                         const HostBook& hosts);

} // namespace trainyard::remote
