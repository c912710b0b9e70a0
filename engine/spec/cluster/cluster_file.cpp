// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/cluster/cluster_file.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/spec/run/check.h"
#include "engine/spec/run/object_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace fs = std::filesystem;

namespace trainyard::spec {
namespace {

constexpr std::int64_t kVersion = 1;
// A remote command is one packet, and quoting lengthens it.
constexpr std::size_t kMaxCommand = 12000;

bool isWordCharacter(char c, std::string_view more) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           more.find(c) != std::string_view::npos;
}

bool isVariableName(const std::string& name) {
    return !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
           std::ranges::all_of(name, [](char c) { return isWordCharacter(c, "_"); });
}

// It names files, here and on the hosts.
void checkName(const std::string& name, Checker& check) {
    const bool fits = !name.empty() && name.size() <= 60 && name[0] != '-' && name[0] != '.' &&
                      std::ranges::all_of(name, [](char c) { return isWordCharacter(c, "._-"); });
    if (!fits)
        check.fail("name", inQuotes(name), name.empty() ? "a cluster needs a name" : "is not the name of a cluster",
                   "use letters, digits, . _ and -, at most 60");
}

void readSetup(ObjectReader& reader, Checker& check, std::vector<std::string>& setup) {
    reader("setup", setup);
    for (std::size_t i = 0; i < setup.size(); ++i) {
        const std::string path = reader.pathOf("setup") + "." + std::to_string(i);
        if (setup[i].find_first_not_of(" \t\n") == std::string::npos)
            check.fail(path, inQuotes(setup[i]), "is not a command", "remove it");
        else if (setup[i].find('\0') != std::string::npos)
            check.fail(path, inQuotes(setup[i]), "holds a NUL character", "remove it");
        else if (setup[i].size() > kMaxCommand)
            check.fail(path, "", "is longer than 12000 bytes", "put it into a file in one of the folders");
    }
}

// The texts of an object, by name.
std::map<std::string, std::string> readTexts(ObjectReader& reader, const char* key) {
    std::map<std::string, std::string> texts;
    const Json* object = reader.objectAt(key);
    if (object == nullptr) return texts;
    for (const auto& [name, value] : object->items()) {
        if (value.is_string()) texts[name] = value.get<std::string>();
        else
            reader.report(joinPath(reader.pathOf(key), name), value, "must be text",
                          value.is_primitive() ? "write it in quotes" : "");
    }
    return texts;
}

void readEnvironment(ObjectReader& reader, Checker& check, std::map<std::string, std::string>& environment) {
    environment = readTexts(reader, "environment");
    for (const auto& [name, value] : environment) {
        const std::string path = joinPath(reader.pathOf("environment"), name);
        if (!isVariableName(name))
            check.fail(path, "", "is not the name of an environment variable",
                       "use letters, digits and _, not a digit at the beginning");
        else if (name.starts_with("TRAINYARD_"))
            check.fail(path, "", "is a variable of Trainyard itself", "choose another name");
        else if (value.find('\0') != std::string::npos || value.size() > kMaxCommand)
            check.fail(path, "", "cannot be given to a command", "use at most 12000 bytes without a NUL character");
    }
}

// "~/" is the home folder, and a relative path is meant from `folder`.
std::string absolute(const std::string& local, const fs::path& folder) {
    const char* home = std::getenv("HOME");
    const bool ofHome = local == "~" || local.starts_with("~/");
    fs::path path = ofHome && home != nullptr ? fs::path(home) / local.substr(std::min<std::size_t>(local.size(), 2))
                                              : folder / local;
    path = path.lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).string(); // "folder/"
}

void readFolders(ObjectReader& reader, Checker& check, const fs::path& folder,
                 std::map<std::string, std::string>& folders) {
    for (const auto& [local, remote] : readTexts(reader, "folders")) {
        const std::string path = joinPath(reader.pathOf("folders"), local);
        const bool odd = std::ranges::any_of(local + remote, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
        if (local.empty() || remote.empty() || odd || local == "/" || remote == "/" || remote == "~")
            check.fail(path, inQuotes(remote), "is not a folder that can be copied",
                       "write a folder of this computer and one there: \"code\": \"~/code\"");
        else folders[absolute(local, folder)] = remote;
    }
}

void readNeeds(ObjectReader& reader, Checker& check, const fs::path& folder, HostNeeds& needs) {
    readSetup(reader, check, needs.setup);
    readEnvironment(reader, check, needs.environment);
    readFolders(reader, check, folder, needs.folders);
}

class HostsReader {
public:
    HostsReader(Errors& errors, Checker& check, const fs::path& folder)
        : m_errors(errors), m_check(check), m_folder(folder) {}
    ClusterHost read(const Json& value, const std::string& path) {
        ClusterHost host;
        if (value.is_string()) {
            host.alias = value.get<std::string>();
            m_check.host(path, host.alias);
        } else if (value.is_object()) {
            host = describe(value, path);
        } else {
            m_errors.push_back({path, shown(value), "must be a host's name or an object { … }", ""});
            return host;
        }
        if (!host.alias.empty() && !m_aliases.insert(host.alias).second)
            m_check.fail(path, inQuotes(host.alias), "is there twice", "remove one of the two");
        return host;
    }

private:
    ClusterHost describe(const Json& value, const std::string& path) {
        ClusterHost host;
        ObjectReader reader(value, path, m_errors);
        reader("alias", host.alias);
        reader("hostName", host.hostName);
        reader("user", host.user);
        reader("port", host.port);
        reader("identityFile", host.identityFile);
        reader("address", host.address);
        readNeeds(reader, m_check, m_folder, host.needs);
        reader.finish();
        const auto* alias = reader.at("alias");
        if (alias == nullptr)
            m_check.fail(path, "", "has no alias", "give it the name that runs use: \"alias\": \"h1\"");
        else if (alias->is_string()) m_check.host(path + ".alias", host.alias);
        if (const auto* port = reader.at("port");
            port != nullptr && port->is_number() && (host.port < 1 || host.port > 65535))
            m_check.fail(path + ".port", shown(*port), "is not a port", "use 1 to 65535; SSH is at 22");
        return host;
    }

    Errors& m_errors;
    Checker& m_check;
    const fs::path& m_folder;
    std::set<std::string> m_aliases;
};

Json needsJson(const HostNeeds& needs) {
    Json json = Json::object();
    if (!needs.setup.empty()) json["setup"] = needs.setup;
    if (!needs.environment.empty()) json["environment"] = needs.environment;
    if (!needs.folders.empty()) json["folders"] = needs.folders;
    return json;
}

Json hostJson(const ClusterHost& host) {
    Json json = needsJson(host.needs);
    if (json.empty() && !host.isDescribed()) return host.alias;
    json["alias"] = host.alias;
    if (!host.hostName.empty()) json["hostName"] = host.hostName;
    if (!host.user.empty()) json["user"] = host.user;
    if (host.port != 0) json["port"] = host.port;
    if (!host.identityFile.empty()) json["identityFile"] = host.identityFile;
    if (!host.address.empty()) json["address"] = host.address;
    return json;
}

} // namespace

bool ClusterHost::isDescribed() const {
    return !hostName.empty() || !user.empty() || !identityFile.empty() || !address.empty() || port != 0;
}

HostNeeds needsOf(const ClusterSpec& cluster, const ClusterHost& host) {
    HostNeeds needs = cluster.needs;
    needs.setup.insert(needs.setup.end(), host.needs.setup.begin(), host.needs.setup.end());
    for (const auto& [name, value] : host.needs.environment) needs.environment[name] = value;
    for (const auto& [local, remote] : host.needs.folders) needs.folders[local] = remote;
    return needs;
}

Result<ClusterSpec> parseClusterSpec(std::string_view text, const std::string& file, const fs::path& folder) {
    Errors errors;
    const Json tree = parseTree(text, errors);
    if (!errors.empty()) return toError(errors, file);
    Checker check(errors);
    ObjectReader reader(tree, "", errors);
    ClusterSpec cluster;
    std::int64_t version = kVersion;
    reader("version", version);
    reader("name", cluster.name);
    readNeeds(reader, check, folder, cluster.needs);
    const Json* hosts = reader.at("hosts");
    reader.finish();
    if (version != kVersion)
        check.fail("version", std::to_string(version), "must be 1", "a newer Trainyard may have written it: update");
    if (!check.failed("name")) checkName(cluster.name, check);
    if (hosts == nullptr || !hosts->is_array() || hosts->empty())
        check.fail("hosts", hosts == nullptr ? "" : shown(*hosts), "must be a list of one host or more",
                   "for example: \"hosts\": [\"me@192.168.1.20\"]");
    HostsReader each(errors, check, folder);
    for (std::size_t i = 0; hosts != nullptr && hosts->is_array() && i < hosts->size(); ++i)
        cluster.hosts.push_back(each.read((*hosts)[i], "hosts." + std::to_string(i)));
    if (!errors.empty()) return toError(errors, file);
    return cluster;
}

Result<ClusterSpec> readClusterSpec(const fs::path& file) {
    TY_ASSIGN(const std::string text, readFile(file, kMaxFileBytes));
    std::error_code ignored;
    return parseClusterSpec(text, file.string(), fs::absolute(file, ignored).parent_path());
}

std::string clusterJson(const ClusterSpec& cluster) {
    Json json{{"version", kVersion}, {"name", cluster.name}, {"hosts", Json::array()}};
    json.update(needsJson(cluster.needs));
    for (const auto& host : cluster.hosts) json["hosts"].push_back(hostJson(host));
    return jsonFile(json);
}

} // namespace trainyard::spec
