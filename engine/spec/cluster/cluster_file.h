// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster file: hosts that are brought up together, and what they need.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::spec {

// What is done on a host before runs use it.
struct HostNeeds {
    std::vector<std::string> setup;                 // commands for the account's shell, in this order
    std::map<std::string, std::string> environment; // of the commands, and of the ranks that are started there
    std::map<std::string, std::string> folders;     // of this computer, absolute, to the folder there
    bool operator==(const HostNeeds&) const = default;
};

// One host of a cluster file, as it is written there. Empty fields mean what they mean in the list of hosts.
struct ClusterHost {
    std::string alias; // alone: a name of the list of hosts or the SSH config, or user@host:port
    std::string hostName, user, identityFile, address;
    int port = 0; // 0: not given
    HostNeeds needs;
    bool operator==(const ClusterHost&) const = default;

    // Whether it says how the host is reached.
    bool isDescribed() const;
};

// A cluster file.
struct ClusterSpec {
    std::string name;
    std::vector<ClusterHost> hosts;
    HostNeeds needs; // of every host
    bool operator==(const ClusterSpec&) const = default;
};

// What one of its hosts needs: the commands of the cluster come before its own; of variables and folders of the same
// name its own count.
HostNeeds needsOf(const ClusterSpec& cluster, const ClusterHost& host);

// Reads a cluster file. Relative folders of this computer are meant from `folder`, "~/" is the user's home. Input, with
// every field that is wrong; how hosts are reached is checked where they are connected to.
Result<ClusterSpec> parseClusterSpec(std::string_view json, const std::string& file,
                                     const std::filesystem::path& folder = {});
Result<ClusterSpec> readClusterSpec(const std::filesystem::path& file);
// The same as a file; what is read back is equal.
std::string clusterJson(const ClusterSpec& cluster);

} // namespace trainyard::spec
