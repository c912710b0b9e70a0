// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/serve/serve_text.h"

#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace trainyard::ctl::serving {

using namespace trainyard::serve;

namespace {

std::string milliseconds(double ms) {
    char text[32];
    std::snprintf(text, sizeof text, ms < 10 ? "%.2f ms" : "%.0f ms", ms);
    return ms > 0 ? text : "-";
}

std::string rate(double qps) {
    char text[32];
    std::snprintf(text, sizeof text, qps < 10 ? "%.1f" : "%.0f", qps);
    return text;
}

// In single quotes for a shell.
std::string shellQuoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string currentVersion(const ServiceStatus& status) {
    for (const auto& each : status.versions)
        if (each.role == VersionRole::Current) return each.name;
    return "-";
}

// A body for the curl line, and its type.
std::pair<std::string, std::string> exampleOf(const ModelSignature& signature) {
    switch (signature.kind) {
    case InputKind::Image: return {"--data-binary @picture.png", "image/png"};
    case InputKind::Text: return {"--data 'To be'", "text/plain"};
    case InputKind::Row: {
        std::string cells;
        for (const auto& each : signature.columns)
            cells += (cells.empty() ? "" : ",") + (each.words.empty() ? "0" : each.words.front());
        return {"--data " + shellQuoted(cells), "text/csv"};
    }
    case InputKind::Tensor: break;
    }
    return {"--data '{\"inputs\":[{\"name\":\"input\",\"datatype\":\"FP32\",\"shape\":[1,4],\"data\":[0,0,0,0]}]}'",
            "application/json"};
}

} // namespace

std::string curlLine(const ServiceFolder& folder, const ServiceStatus& status) {
    if (status.signatures.empty()) return {};
    const ModelSignature& first = status.signatures.front();
    const auto [body, type] = exampleOf(first);
    std::string url = status.url, how;
    if (url.starts_with("unix:")) {
        how = "--unix-socket " + shellQuoted(url.substr(5)) + " ";
        url = "http://localhost";
    }
    const std::string path = first.kind == InputKind::Tensor ? "/v2/models/" + first.name + "/infer" : "/predict";
    return "curl " + how + "-H \"Authorization: Bearer $(cat " + shellQuoted(folder.token().string()) + ")\" -H " +
           shellQuoted("Content-Type: " + type) + " " + body + " " + url + path;
}

void printServed(const ServiceFolder& folder, const ServiceStatus& status) {
    std::printf("%s answers at %s with %s\n", status.name.c_str(), status.url.c_str(),
                forTerminal(currentVersion(status)).c_str());
    if (const auto line = curlLine(folder, status); !line.empty()) std::printf("try: %s\n", line.c_str());
}

void printServices(const std::vector<ServiceView>& views) {
    std::vector<std::vector<std::string>> table{
        {"service", "state", "address", "version", "replicas", "a second", "p50", "p99", "reason"}};
    for (const auto& each : views) {
        int alive = 0;
        for (const auto& replica : each.status.replicas) alive += replica.state != ReplicaState::Ended ? 1 : 0;
        const std::string where = each.spec.on.empty() ? "" : " on " + printable(each.spec.on, 40);
        table.push_back({each.spec.name, toString(each.status.state) + where, each.isServed ? each.status.url : "-",
                         printable(currentVersion(each.status), 40), each.isServed ? std::to_string(alive) : "-",
                         rate(each.status.qps), milliseconds(each.status.p50Ms), milliseconds(each.status.p99Ms),
                         printable(each.status.reason, 100)});
    }
    printTable(table);
}

void printService(const ServiceView& view) {
    const ServiceStatus& status = view.status;
    std::vector<std::vector<std::string>> rows{{"service", view.spec.name}, {"state", toString(status.state)}};
    if (!view.spec.on.empty()) rows.push_back({"lives on", printable(view.spec.on, 60)});
    if (!status.reason.empty()) rows.push_back({"reason", printable(status.reason, 300)});
    if (view.isServed) rows.push_back({"address", status.url});
    rows.push_back({"requests", std::to_string(status.answered) + " answered, " + rate(status.qps) + " a second, p50 " +
                                    milliseconds(status.p50Ms) + ", p99 " + milliseconds(status.p99Ms)});
    rows.push_back(
        {"queue", std::to_string(status.waiting) + " waiting, " + std::to_string(status.inFlight) + " being computed"});
    std::string codes;
    for (const auto& [code, count] : status.codes)
        codes += (codes.empty() ? "" : ", ") + std::to_string(code) + ": " + std::to_string(count);
    if (!codes.empty()) rows.push_back({"codes", codes});
    if (status.processesLeft >= 0) rows.push_back({"processes left", std::to_string(status.processesLeft)});
    printTable(rows);
    if (!status.versions.empty()) {
        std::printf("\n");
        std::vector<std::vector<std::string>> table{
            {"model", "version", "role", "share", "requests", "errors", "p50", "p99", "note"}};
        for (const auto& each : status.versions) {
            char share[16];
            std::snprintf(share, sizeof share, "%.0f%%", 100 * each.share);
            table.push_back({each.model, printable(each.name, 40), toString(each.role), share,
                             std::to_string(each.requests), std::to_string(each.errors), milliseconds(each.p50Ms),
                             milliseconds(each.p99Ms), printable(each.reason, 100)});
        }
        printTable(table);
    }
    if (!status.replicas.empty()) {
        std::printf("\n");
        std::vector<std::vector<std::string>> table{{"replica", "process", "version", "state", "answered", "restarts"}};
        for (const auto& each : status.replicas)
            table.push_back({std::to_string(each.number), std::to_string(each.pid), printable(each.version, 40),
                             toString(each.state), std::to_string(each.answered), std::to_string(each.restarts)});
        printTable(table);
    }
}

void printFigures(const std::vector<FigurePoint>& points) {
    constexpr std::size_t kShown = 20;
    if (points.empty()) return;
    std::printf("\n");
    std::vector<std::vector<std::string>> table{
        {"since", "for", "a second", "p50", "p99", "errors a second", "replicas"}};
    for (std::size_t i = points.size() - std::min(points.size(), kShown); i < points.size(); ++i) {
        const FigurePoint& each = points[i];
        table.push_back({shortTime(each.atMs), duration(each.spanMs / 1e3), rate(each.qps), milliseconds(each.p50Ms),
                         milliseconds(each.p99Ms), rate(each.errors), rate(each.replicas)});
    }
    printTable(table);
    if (points.size() > kShown) std::printf("%zu spans before; all: --json\n", points.size() - kShown);
}

int stopService(const Session& session, const ServiceFolder& folder) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto view = viewService(*workspace, folder.root.filename().string());
    if (!view) return fail(view.error());
    const auto last = ServiceClient(folder).stopAndWait(view->spec.drainSeconds + 30);
    if (!last) return fail(last.error());
    if (session.json) return printJson(statusToJson(*last));
    std::printf("%s has stopped; %d processes left\n", view->spec.name.c_str(), last->processesLeft);
    return last->processesLeft == 0 ? 0 : exitCode(ErrorKind::Environment);
}

} // namespace trainyard::ctl::serving
