// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts that a user added, with the aliases of the user's SSH config as suggestions.
#pragma once

#include "engine/base/result.h"
#include "remote/book/channel_choice.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::remote {

// How to reach one host. An empty member has the default given beside it.
struct HostEntry {
    std::string alias;        // the name in run files: letters, digits, '.', '_', '-'
    std::string hostName;     // name or address to connect to; empty: the alias
    std::string user;         // empty: the login name of this user
    int port = 22;            // 1..65535
    std::string identityFile; // absolute path of a private key; empty: the agent, then ~/.ssh/id_ed25519 and id_ecdsa
    std::string address;      // address or interface name the hosts of a run use among themselves; empty: by route
    std::string proxyJump;    // from the SSH config: what only the system's ssh can do
    std::string sshName;      // its name in the user's SSH config; empty: the alias
    ChannelWish channel = ChannelWish::Auto;
    ChannelReason sshReason = ChannelReason::None; // why it needs the system's ssh, as found out earlier
    bool operator==(const HostEntry&) const = default;

    const std::string& target() const { return hostName.empty() ? alias : hostName; }
    std::string label() const; // "user@name:port", without the parts that are the default
};

// $XDG_CONFIG_HOME/trainyard, or ~/.config/trainyard.
std::filesystem::path configFolder();
// The home folder of this user; empty when there is none.
std::filesystem::path homeFolder();

// "user@name:port" in parts, also "[fe80::1]:22"; the remaining text is the name.
struct HostWords {
    std::string name, user;
    int port = 0; // 0: none is given
};
// Input: the text after the last ':' is not a port.
Result<HostWords> readHostWords(const std::string& text);

// Input, with field, value and the allowed values: no leading '-', no space, control or shell characters.
Result<void> validateHost(const HostEntry& host);

// The list of hosts in hosts.json (atomic, mode 0600). A value: load it, use it, save() after changes. Any thread, one
// at a time.
class HostBook {
public:
    // Empty path: configFolder()/hosts.json. A missing file is an empty book; a malformed one an Input error.
    static Result<HostBook> load(const std::filesystem::path& file = {});
    static Result<HostBook> parse(std::string_view json, const std::filesystem::path& file);

    const std::vector<HostEntry>& hosts() const { return m_hosts; }
    const HostEntry* find(std::string_view alias) const;
    // Input: the host is invalid, or the alias is taken and `replace` is false. Saves the file.
    Result<void> add(HostEntry host, bool replace = false);
    // Input: there is no such alias (names the nearest one). Saves the file.
    Result<void> remove(const std::string& alias);

    // The host for a name in a run file or on a command line: an alias of the book, else an alias of the SSH config,
    // else "user@name[:port]" or a plain name. Input: invalid name.
    Result<HostEntry> resolve(const std::string& name) const;

    const std::filesystem::path& file() const { return m_file; }

private:
    Result<void> save() const;

    std::filesystem::path m_file;
    std::vector<HostEntry> m_hosts;
};

// The word by which commands know this host: its alias if that leads to it, else "user@alias:port" or label().
std::string commandWord(const HostEntry& host);

} // namespace trainyard::remote
