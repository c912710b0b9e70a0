// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/service_spec.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/serve/values/loopback.h"
#include "engine/spec/run/check.h"
#include "engine/spec/run/object_reader.h"

#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <sys/un.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace trainyard::serve {
namespace {

using spec::Checker;
using spec::ObjectReader;

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMaxName = 60, kMaxModels = 16;

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
}

bool isAddress(const std::string& host) {
    unsigned char bytes[sizeof(in6_addr)];
    return host == "localhost" || ::inet_pton(AF_INET, host.c_str(), bytes) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

bool isAbsolute(const std::string& path) { return path.starts_with('/') && path.find('\0') == path.npos; }

void checkModels(const ServiceSpec& spec, Checker& check) {
    if (spec.models.empty()) check.fail("models", "", "a service needs a model", "name a checkpoint");
    if (spec.models.size() > kMaxModels)
        check.fail("models", std::to_string(spec.models.size()), "are more than 16", "start another service");
    std::set<std::string> names;
    for (std::size_t i = 0; i < spec.models.size(); ++i) {
        const ServedModel& model = spec.models[i];
        const std::string path = "models." + std::to_string(i);
        if (!isServiceName(model.name))
            check.fail(path + ".name", spec::inQuotes(model.name), "cannot stand in an address",
                       "use letters, digits, . _ and -, at most 60");
        if (!names.insert(model.name).second)
            check.fail(path + ".name", spec::inQuotes(model.name), "is there twice", "give one of them another name");
        if (!isAbsolute(model.file))
            check.fail(path + ".file", spec::inQuotes(model.file), "is not an absolute path", "begin it with /");
    }
}

void checkKeyFile(const char* key, const std::string& file, Checker& check) {
    if (!file.empty() && !isAbsolute(file))
        check.fail(key, spec::inQuotes(file), "is not an absolute path", "begin it with /");
}

void checkAddress(const ServiceSpec& spec, Checker& check) {
    check.range("listen.port", std::int64_t{spec.port}, 0, 65535);
    check.range("listen.forwardedFrom", std::int64_t{spec.forwardedFrom}, 0, 65535);
    if (!spec.socket.empty()) {
        if (!isAbsolute(spec.socket) || spec.socket.size() >= sizeof(sockaddr_un::sun_path))
            check.fail("listen.socket", spec::inQuotes(spec.socket), "is not the path of a socket",
                       "begin it with /, and use at most 107 bytes");
        if (spec.port != 0)
            check.fail("listen.socket", spec::inQuotes(spec.socket), "is given beside a port", "remove one of the two");
        return;
    }
    if (!isAddress(spec.host))
        check.fail("listen.host", spec::inQuotes(spec.host), "is not an address of this computer",
                   "127.0.0.1, 0.0.0.0 for every interface, or the address of one");
    checkKeyFile("listen.certificate", spec.certificate, check);
    checkKeyFile("listen.key", spec.key, check);
    if (spec.certificate.empty() != spec.key.empty())
        check.fail(spec.key.empty() ? "listen.key" : "listen.certificate", "", "is missing",
                   "TLS needs a certificate and its key");
    if (!isLoopback(spec.host) && spec.certificate.empty() && !spec.plaintext)
        check.fail("listen.host", spec::inQuotes(spec.host),
                   "can be reached by others, and everything would be readable",
                   "give a certificate and a key, or set plaintext on a network that you trust");
}

void checkNumbers(const ServiceSpec& spec, Checker& check) {
    check.range("replicas.min", std::int64_t{spec.minReplicas}, 0, 64);
    check.range("replicas.max", std::int64_t{spec.maxReplicas}, 1, 64);
    if (spec.minReplicas > spec.maxReplicas)
        check.fail("replicas.min", std::to_string(spec.minReplicas), "is more than replicas.max", "raise that, too");
    check.range("replicas.threads", std::int64_t{spec.threads}, 0, 1024);
    check.range("replicas.targetMs", spec.targetMs, 1.0, 60000.0);
    check.range("batch.max", std::int64_t{spec.batchMax}, 1, 1024);
    check.range("batch.delayUs", std::int64_t{spec.batchDelayUs}, 0, 1000000);
    check.range("limits.deadlineSeconds", spec.deadlineSeconds, 0.001, 3600.0);
    check.range("limits.drainSeconds", spec.drainSeconds, 0.0, 3600.0);
    check.range("limits.bodyMb", std::int64_t{spec.bodyMb}, 1, 1024);
    check.range("limits.perSecond", spec.perSecond, 0.0, 1e6);
}

void judgeService(const ServiceSpec& spec, Checker& check) {
    if (!isServiceName(spec.name))
        check.fail("name", spec::inQuotes(spec.name), "is not the name of a service",
                   "use letters, digits, . _ and -, at most 60, and begin with a letter or a digit");
    checkModels(spec, check);
    checkAddress(spec, check);
    checkNumbers(spec, check);
    if (!spec.follow.empty()) check.name("follow", spec.follow);
    // Its port there is reached through SSH alone.
    if (!spec.on.empty() && (!spec.socket.empty() || !spec.certificate.empty() || !isLoopback(spec.host)))
        check.fail("on", spec::inQuotes(spec.on), "is forwarded to a port of this computer's loopback alone",
                   "leave out --host, --socket, --certificate and --key");
}

void readModels(ObjectReader& reader, spec::Errors& errors, std::vector<ServedModel>& models) {
    const Json* list = reader.at("models");
    if (list == nullptr) return;
    if (!list->is_array()) return reader.report("models", *list, "must be a list of objects { … }");
    for (std::size_t i = 0; i < list->size() && i <= kMaxModels; ++i) {
        const std::string path = "models." + std::to_string(i);
        if (!(*list)[i].is_object()) {
            reader.report(path, (*list)[i], "must be an object { … }");
            continue;
        }
        ServedModel model;
        ObjectReader inner((*list)[i], path, errors);
        inner("name", model.name);
        inner("file", model.file);
        inner("run", model.run);
        inner("step", model.step);
        inner("there", model.there);
        inner("info", model.info);
        inner.finish();
        models.push_back(std::move(model));
    }
}

// One object of the file: `read` takes its fields.
template <class Read>
void readGroup(ObjectReader& reader, spec::Errors& errors, const char* key, Read read) {
    const Json* object = reader.objectAt(key);
    if (object == nullptr) return;
    ObjectReader inner(*object, key, errors);
    read(inner);
    inner.finish();
}

void readGroups(ObjectReader& reader, spec::Errors& errors, ServiceSpec& spec) {
    readGroup(reader, errors, "listen", [&](ObjectReader& in) {
        in("host", spec.host);
        in("port", spec.port);
        in("socket", spec.socket);
        in("certificate", spec.certificate);
        in("key", spec.key);
        in("plaintext", spec.plaintext);
        in("forwardedFrom", spec.forwardedFrom);
    });
    readGroup(reader, errors, "replicas", [&](ObjectReader& in) {
        in("min", spec.minReplicas);
        in("max", spec.maxReplicas);
        in("threads", spec.threads);
        in("targetMs", spec.targetMs);
    });
    readGroup(reader, errors, "batch", [&](ObjectReader& in) {
        in("max", spec.batchMax);
        in("delayUs", spec.batchDelayUs);
        in("deterministic", spec.deterministic);
    });
    readGroup(reader, errors, "limits", [&](ObjectReader& in) {
        in("deadlineSeconds", spec.deadlineSeconds);
        in("drainSeconds", spec.drainSeconds);
        in("bodyMb", spec.bodyMb);
        in("perSecond", spec.perSecond);
    });
}

} // namespace

std::string ServedModel::version() const {
    if (run.empty()) return std::filesystem::path(file).filename().string();
    return step < 0 ? run : run + "@" + std::to_string(step);
}

bool ServiceSpec::isLocal() const { return !socket.empty() || isLoopback(host); }

std::string ServiceSpec::url() const {
    if (!socket.empty()) return "unix:" + socket;
    if (port == 0) return {};
    const bool v6 = host.find(':') != host.npos;
    return (certificate.empty() ? "http://" : "https://") + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<void> checkService(const ServiceSpec& spec, const std::string& file) {
    spec::Errors errors;
    Checker check(errors);
    judgeService(spec, check);
    if (errors.empty()) return {};
    return spec::toError(errors, file);
}

Result<ServiceSpec> parseServiceSpec(std::string_view text, const std::string& file) {
    const Json json = parseJson(text);
    if (!json.is_object()) return inputError("is not a JSON object", file, "it is written by: trainyardctl serve");
    spec::Errors errors;
    ObjectReader reader(json, "", errors);
    ServiceSpec spec;
    std::int64_t version = kVersion;
    reader("version", version);
    if (version > kVersion)
        return inputError("is of version " + std::to_string(version) + ", and this program reads up to 1", file,
                          "use a newer Trainyard")
            .withCode(ErrorCode::NewerVersion);
    reader("name", spec.name);
    readModels(reader, errors, spec.models);
    readGroups(reader, errors, spec);
    reader("follow", spec.follow);
    reader("on", spec.on);
    reader.finish();
    Checker check(errors);
    if (errors.empty()) judgeService(spec, check);
    if (!errors.empty()) return spec::toError(errors, file);
    return spec;
}

std::string serviceJson(const ServiceSpec& spec) {
    Json models = Json::array();
    for (const ServedModel& each : spec.models) models.push_back(servedModelJson(each));
    Json json{
        {"version", kVersion},
        {"name", spec.name},
        {"models", std::move(models)},
        {"listen",
         {{"host", spec.host},
          {"port", spec.port},
          {"socket", spec.socket},
          {"certificate", spec.certificate},
          {"key", spec.key},
          {"plaintext", spec.plaintext}}},
        {"replicas",
         {{"min", spec.minReplicas},
          {"max", spec.maxReplicas},
          {"threads", spec.threads},
          {"targetMs", spec.targetMs}}},
        {"batch", {{"max", spec.batchMax}, {"delayUs", spec.batchDelayUs}, {"deterministic", spec.deterministic}}},
        {"limits",
         {{"deadlineSeconds", spec.deadlineSeconds},
          {"drainSeconds", spec.drainSeconds},
          {"bodyMb", spec.bodyMb},
          {"perSecond", spec.perSecond}}},
        {"follow", spec.follow}};
    if (spec.forwardedFrom != 0) json["listen"]["forwardedFrom"] = spec.forwardedFrom;
    if (!spec.on.empty()) json["on"] = spec.on;
    return jsonFile(json);
}

Json servedModelJson(const ServedModel& model) {
    Json json{{"name", model.name}, {"file", model.file}, {"run", model.run}, {"step", model.step}};
    if (model.there) json["there"] = true;
    if (!model.info.empty()) json["info"] = model.info;
    return json;
}

ServedModel servedModelFrom(const Json& json) {
    ServedModel model;
    if (!json.is_object()) return model;
    const auto text = [&](const char* key) {
        return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
    };
    model = {text("name"), text("file"), text("run"), -1};
    if (json.contains("step") && json["step"].is_number_integer()) model.step = json["step"].get<std::int64_t>();
    model.there = json.contains("there") && json["there"] == true;
    model.info = text("info");
    return model;
}

bool isServiceName(std::string_view name) {
    return !name.empty() && name.size() <= kMaxName && name[0] != '-' && name[0] != '.' &&
           std::ranges::all_of(name, isNameCharacter);
}

std::string serviceNameOf(std::string_view text) {
    std::string name;
    for (const char c : text.substr(0, kMaxName)) {
        if (isNameCharacter(c) && !(name.empty() && (c == '-' || c == '.'))) name += c;
        else if (!name.empty() && name.back() != '-') name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? "model" : name;
}

} // namespace trainyard::serve
