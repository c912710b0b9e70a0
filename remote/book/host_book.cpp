// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/book/host_book.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/host_ranks.h"
#include "remote/book/ssh_config.h"

#include <nlohmann/json.hpp>

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>

namespace fs = std::filesystem;

namespace trainyard::remote {
namespace {

constexpr int kBookVersion = 1;

bool isNameCharacter(char c, std::string_view more) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           more.find(c) != std::string_view::npos;
}

// Empty when the text is fine, else what is wrong with it.
std::string nameFault(const std::string& text, std::string_view more, std::size_t maxLength) {
    if (text.size() > maxLength) return "is longer than " + std::to_string(maxLength) + " characters";
    if (!text.empty() && text[0] == '-') return "starts with '-'";
    for (const char c : text)
        if (!isNameCharacter(c, more)) return "holds the character '" + printable(std::string_view(&c, 1)) + "'";
    return {};
}

Error fieldError(const std::string& field, const std::string& value, const std::string& fault,
                 const std::string& allowed) {
    return inputError("\"" + printable(value) + "\" " + fault, field, allowed);
}

Result<void> checkName(const std::string& field, const std::string& value, std::string_view more,
                       std::size_t maxLength) {
    if (const std::string fault = nameFault(value, more, maxLength); !fault.empty()) {
        std::string allowed = "use letters, digits and";
        for (const char c : more) allowed += std::string(" ") + c;
        return fieldError(field, value, fault, allowed);
    }
    return {};
}

Result<void> readChannel(HostEntry& host, const std::string& key, const std::string& text, const std::string& field) {
    if (key == "channel") {
        const auto wish = channelWish(text);
        if (!wish) return fieldError(field, text, "is not a channel", "use auto, library or ssh");
        host.channel = *wish;
        return {};
    }
    const auto reason = channelReason(text);
    if (!reason) return fieldError(field, text, "is not a reason for the system's ssh", "remove it");
    host.sshReason = *reason;
    return {};
}

Result<HostEntry> entryFromJson(const nlohmann::json& item, const std::string& path) {
    static const std::set<std::string> known{"alias",   "hostName", "user",    "port",     "identityFile",
                                             "address", "sshName",  "channel", "sshReason"};
    if (!item.is_object()) return inputError("a host must be an object", path);
    HostEntry host;
    for (const auto& [key, value] : item.items()) {
        const std::string field = path + "." + printable(key);
        if (!known.contains(key)) {
            const std::string near = nearestWord(key, known);
            return inputError("unknown key", field, near.empty() ? "remove it" : "did you mean \"" + near + "\"?");
        }
        if (key == "port") {
            if (!value.is_number_integer()) return inputError("must be a whole number", field);
            const auto port = value.get<std::int64_t>();
            host.port = port < 1 || port > 65535 ? 0 : static_cast<int>(port);
            continue;
        }
        if (!value.is_string()) return inputError("must be text", field);
        const auto text = value.get<std::string>();
        if (key == "alias") host.alias = text;
        else if (key == "hostName") host.hostName = text;
        else if (key == "user") host.user = text;
        else if (key == "identityFile") host.identityFile = text;
        else if (key == "address") host.address = text;
        else if (key == "sshName") host.sshName = text;
        else TY_TRY(readChannel(host, key, text, field));
    }
    if (auto valid = validateHost(host); !valid) {
        Error error = valid.error();
        error.where = path + "." + error.where;
        return error;
    }
    return host;
}

} // namespace

fs::path homeFolder() {
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return home;
    if (const passwd* entry = ::getpwuid(::getuid()); entry != nullptr) return entry->pw_dir;
    return {};
}

fs::path configFolder() {
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && config[0] == '/')
        return fs::path(config) / "trainyard";
    return homeFolder() / ".config" / "trainyard";
}

std::string HostEntry::label() const {
    const std::string name = target().find(':') == std::string::npos || port == 22 ? target() : "[" + target() + "]";
    return (user.empty() ? "" : user + "@") + name + (port == 22 ? "" : ":" + std::to_string(port));
}

Result<void> validateHost(const HostEntry& host) {
    if (host.alias.empty()) return inputError("a host needs a name", "alias");
    const bool plainAddress = host.hostName.empty() || host.hostName == host.alias; // IPv6 has colons
    if (!(plainAddress && spec::isIpv6Address(host.alias)))
        TY_TRY(checkName("alias", host.alias, plainAddress ? "._-:" : "._-", 100));
    TY_TRY(checkName("hostName", host.hostName, "._-:%", 253));
    TY_TRY(checkName("sshName", host.sshName, "._-:", 100));
    TY_TRY(checkName("user", host.user, "._-\\@+", 100));
    TY_TRY(checkName("address", host.address, "._-:", 100));
    if (host.port < 1 || host.port > 65535)
        return fieldError("port", std::to_string(host.port), "is not a port", "use 1 to 65535; SSH is at 22");
    if (!host.identityFile.empty()) {
        const bool control = std::ranges::any_of(
            host.identityFile, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
        if (control || host.identityFile[0] != '/')
            return fieldError("identityFile", host.identityFile, "is not an absolute path",
                              "give the private key's path from / on, such as /home/me/.ssh/id_ed25519");
    }
    return {};
}

Result<HostBook> HostBook::load(const fs::path& file) {
    const fs::path path = file.empty() ? configFolder() / "hosts.json" : file;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        HostBook book;
        book.m_file = path;
        return book;
    }
    TY_ASSIGN(const std::string text, readFile(path, 4u << 20));
    return parse(text, path);
}

Result<HostBook> HostBook::parse(std::string_view text, const fs::path& file) {
    const nlohmann::json json = parseSortedJson(text);
    const std::string remedy = "correct the file, or move it away and add the hosts again";
    if (json.is_discarded() || !json.is_object())
        return inputError("this is not a list of hosts (malformed JSON)", file.string(), remedy);
    const auto version = json.find("version");
    if (version == json.end() || !version->is_number_integer() || version->get<std::int64_t>() != kBookVersion)
        return inputError("\"version\" must be 1", file.string(), "a newer Trainyard may have written it: update");
    const auto hosts = json.find("hosts");
    if (hosts == json.end() || !hosts->is_array()) return inputError("\"hosts\" must be a list", file.string(), remedy);
    HostBook book;
    book.m_file = file;
    for (std::size_t i = 0; i < hosts->size(); ++i) {
        const std::string path = file.string() + ": hosts[" + std::to_string(i) + "]";
        TY_ASSIGN(HostEntry host, entryFromJson((*hosts)[i], path));
        if (book.find(host.alias) != nullptr)
            return inputError("\"" + host.alias + "\" is there twice", path + ".alias", remedy);
        book.m_hosts.push_back(std::move(host));
    }
    return book;
}

const HostEntry* HostBook::find(std::string_view alias) const {
    const auto found = std::ranges::find(m_hosts, alias, &HostEntry::alias);
    return found == m_hosts.end() ? nullptr : &*found;
}

Result<void> HostBook::add(HostEntry host, bool replace) {
    TY_TRY(validateHost(host));
    if (const auto meaning = spec::reservedMeaning(host.alias); !meaning.empty())
        return fieldError("alias", host.alias, "means " + meaning + " in run files",
                          "choose another name: --alias NAME");
    // What the SSH config says is looked up for each connection.
    if (!isWorthNoting(host.sshReason, ChannelReason::None)) host.sshReason = ChannelReason::None;
    const auto found = std::ranges::find(m_hosts, host.alias, &HostEntry::alias);
    const std::vector<HostEntry> before = m_hosts;
    if (found == m_hosts.end()) m_hosts.push_back(std::move(host));
    else if (replace) *found = std::move(host);
    else
        return inputError("there is a host \"" + host.alias + "\" already", "alias",
                          "remove it first, or choose another name");
    auto saved = save();
    if (!saved) m_hosts = before;
    return saved;
}

Result<void> HostBook::remove(const std::string& alias) {
    const auto found = std::ranges::find(m_hosts, alias, &HostEntry::alias);
    if (found == m_hosts.end()) {
        std::vector<std::string> names;
        for (const auto& host : m_hosts) names.push_back(host.alias);
        const std::string near = nearestWord(alias, names);
        return inputError("there is no host \"" + printable(alias) + "\"", {},
                          near.empty() ? "list them with: trainyardctl hosts list" : "did you mean \"" + near + "\"?");
    }
    const std::vector<HostEntry> before = m_hosts;
    m_hosts.erase(found);
    auto saved = save();
    if (!saved) m_hosts = before;
    return saved;
}

Result<void> HostBook::save() const {
    Json json;
    json["version"] = kBookVersion;
    json["hosts"] = Json::array();
    for (const auto& host : m_hosts) {
        Json item;
        item["alias"] = host.alias;
        if (!host.hostName.empty()) item["hostName"] = host.hostName;
        if (!host.user.empty()) item["user"] = host.user;
        if (host.port != 22) item["port"] = host.port;
        if (!host.identityFile.empty()) item["identityFile"] = host.identityFile;
        if (!host.address.empty()) item["address"] = host.address;
        if (!host.sshName.empty()) item["sshName"] = host.sshName;
        if (host.channel != ChannelWish::Auto) item["channel"] = toString(host.channel);
        if (host.sshReason != ChannelReason::None) item["sshReason"] = toString(host.sshReason);
        json["hosts"].push_back(std::move(item));
    }
    std::error_code failure;
    if (fs::create_directories(m_file.parent_path(), failure); failure)
        return environmentError("the folder cannot be made: " + failure.message(), m_file.parent_path().string(),
                                "set XDG_CONFIG_HOME to a folder that you can write to");
    TY_TRY(writeFileAtomic(m_file, jsonFile(json)));
    fs::permissions(m_file, fs::perms::owner_read | fs::perms::owner_write, failure);
    return {};
}

Result<HostWords> readHostWords(const std::string& text) {
    HostWords words;
    std::string& rest = words.name = text;
    if (const auto at = rest.rfind('@'); at != std::string::npos) {
        words.user = rest.substr(0, at);
        rest = rest.substr(at + 1);
    }
    const bool bracketed = !rest.empty() && rest[0] == '[';
    const auto colon = rest.rfind(':');
    if (colon != std::string::npos && (bracketed ? rest[colon - 1] == ']' : rest.find(':') == colon)) {
        const std::string digits = rest.substr(colon + 1);
        int& port = words.port;
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
        if (code != std::errc{} || end != digits.data() + digits.size() || port < 1 || port > 65535)
            return fieldError("host", text, "has no valid port after ':'", "write user@name:port");
        rest = rest.substr(0, colon);
    }
    if (bracketed && rest.size() > 2 && rest.back() == ']') rest = rest.substr(1, rest.size() - 2);
    return words;
}

Result<HostEntry> HostBook::resolve(const std::string& name) const {
    if (const HostEntry* host = find(name); host != nullptr) return *host;
    TY_ASSIGN(const HostWords words, readHostWords(name));
    const auto& [rest, user, port] = words;
    HostEntry plain;
    plain.alias = rest;
    if (auto valid = validateHost(plain); !valid) {
        Error error = valid.error();
        error.where = "host";
        return error;
    }
    HostEntry host;
    if (const HostEntry* known = find(rest); known != nullptr) host = *known;
    else {
        TY_ASSIGN(host, sshConfigHost(rest));
        if (host.hostName.empty()) host.hostName = rest; // the alias is its own; the computer is the same
    }
    if (!user.empty()) host.user = user;
    if (port != 0) host.port = port;
    TY_TRY(validateHost(host));
    return host;
}

std::string commandWord(const HostEntry& host) {
    HostEntry named = host;
    named.hostName.clear();
    const auto book = HostBook::load();
    for (const auto& word : {host.alias, named.label()}) {
        const auto found = book ? book->resolve(word) : Result<HostEntry>(host);
        if (found && found->target() == host.target() && found->port == host.port && found->user == host.user)
            return word;
    }
    return host.label();
}

} // namespace trainyard::remote
