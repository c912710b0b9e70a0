// SPDX-License-Identifier: GPL-3.0-or-later
// What a service is to be, as its file service.json says it. Everybody who makes one or reads one has it judged here.
#pragma once

#include "engine/base/json_text.h"
#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::serve {

// What a service serves, under the name that its address has.
struct ServedModel {
    std::string name;       // of the address: /v2/models/NAME
    std::string file;       // absolute: a checkpoint, or a TorchScript file
    std::string run;        // the name of the run that it is of; empty: a file alone
    std::int64_t step = -1; // of the run; -1: not known
    bool there = false;     // of a service on a host: the file is there, and is not copied
    std::string info{};     // what a TorchScript file takes that does not say it itself: JSON, as its modelInfo.json
    bool operator==(const ServedModel&) const = default;

    // "RUN@STEP", or the name of the file: what X-Model-Version says.
    std::string version() const;
};

// A service.
struct ServiceSpec {
    std::string name;
    std::vector<ServedModel> models; // the first answers /predict
    std::string host = "127.0.0.1";
    int port = 0;                 // 0: a free one, kept from then on
    std::string socket;           // or a Unix socket
    std::string certificate, key; // TLS, both absolute
    bool plaintext = false;       // beyond this computer without TLS
    int minReplicas = 1, maxReplicas = 1;
    int threads = 0; // of a replica; 0: the cores are shared out
    int batchMax = 32, batchDelayUs = 0;
    bool deterministic = false; // batches of one size: the same bytes whatever its neighbours
    double deadlineSeconds = 10, drainSeconds = 30, targetMs = 50;
    int bodyMb = 16;
    double perSecond = 0;  // predictions that the token gets; 0: no limit
    std::string follow;    // a run whose better checkpoints are taken
    std::string on;        // the host that it lives on, reached over SSH; empty: this computer
    int forwardedFrom = 0; // there: the port of the other computer that is forwarded to it
    bool operator==(const ServiceSpec&) const = default;

    // Whether only this computer can reach it.
    bool isLocal() const;
    // "http://127.0.0.1:8100", or "unix:PATH"; empty before the port is known.
    std::string url() const;
};

// Rule: what a service may be.
// Input with every field that is wrong; `file` is for the message and may be empty. Looks at no file but their names.
Result<void> checkService(const ServiceSpec& spec, const std::string& file = {});
// Reads a service.json and judges it: an unknown key is refused with the nearest known one.
Result<ServiceSpec> parseServiceSpec(std::string_view json, const std::string& file);
// The same as a file; what is read back is equal.
std::string serviceJson(const ServiceSpec& spec);

// A model as files and requests to a service have it, and back; total: what is missing or of another type is as in a
// new one.
Json servedModelJson(const ServedModel& model);
ServedModel servedModelFrom(const Json& json);

// Whether a text can be the name of a service or of a model that it serves: it stands in addresses and names a folder.
bool isServiceName(std::string_view name);
// What is left of a text once it can be such a name: "My run!" becomes "My-run".
std::string serviceNameOf(std::string_view text);

} // namespace trainyard::serve
