// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/prometheus_text.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace trainyard::serve {

namespace {

std::string labelText(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\' || c == '"') escaped += '\\';
        if (c == '\n') escaped += "\\n";
        else escaped += c;
    }
    return escaped;
}

std::string figureText(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value);
    return {text, end.ptr};
}

std::string versionLabels(const std::string& model, const std::string& version) {
    return "model=\"" + labelText(model) + "\",version=\"" + labelText(version) + "\"";
}

// Text of one metric after another.
class FigureWriter {
public:
    void metric(const char* name, const char* type, const char* help) {
        m_name = name;
        m_text += "# HELP " + m_name + ' ' + help + "\n# TYPE " + m_name + ' ' + type + '\n';
    }
    void value(const std::string& labels, double value, const char* ending = "") {
        m_text += m_name + ending;
        if (!labels.empty()) m_text += '{' + labels + '}';
        m_text += ' ' + figureText(value) + '\n';
    }
    void buckets(const std::string& labels, const FigureBuckets& buckets) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < buckets.counts.size(); ++i) {
            sum += buckets.counts[i];
            const std::string bound = i < buckets.bounds.size() ? figureText(buckets.bounds[i]) : "+Inf";
            value(labels + ",le=\"" + bound + '"', static_cast<double>(sum), "_bucket");
        }
        if (buckets.counts.empty()) value(labels + ",le=\"+Inf\"", 0, "_bucket");
        value(labels, buckets.sum, "_sum");
        value(labels, static_cast<double>(sum), "_count");
    }
    void one(const char* name, const char* type, const char* help, std::int64_t of) {
        metric(name, type, help);
        value({}, static_cast<double>(of));
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_name, m_text;
};

struct HistogramRow {
    const char *name, *help;
    FigureBuckets VersionFigures::* buckets;
};
constexpr HistogramRow kHistograms[] = {
    {"trainyard_request_seconds", "Seconds from the header of a request to its answer.", &VersionFigures::total},
    {"trainyard_queue_seconds", "Seconds that a request waited for a replica.", &VersionFigures::queue},
    {"trainyard_compute_seconds", "Seconds that the model computed.", &VersionFigures::compute},
    {"trainyard_batch_rows", "Rows that the model computed at once.", &VersionFigures::batchRows},
};

} // namespace

std::string prometheusText(const ServiceFigures& figures) {
    FigureWriter writer;
    if (!figures.codes.empty()) {
        writer.metric("trainyard_requests_total", "counter", "Answers by model, version and status code.");
        for (const CodeFigures& each : figures.codes)
            writer.value(versionLabels(each.model, each.version) + ",code=\"" + std::to_string(each.code) + '"',
                         static_cast<double>(each.answers));
    }
    for (const HistogramRow& row : kHistograms) {
        if (figures.versions.empty()) break;
        writer.metric(row.name, "histogram", row.help);
        for (const VersionFigures& each : figures.versions)
            writer.buckets(versionLabels(each.model, each.version), each.*row.buckets);
    }
    writer.one("trainyard_requests_waiting", "gauge", "Requests that wait for a replica.", figures.waiting);
    writer.one("trainyard_requests_in_flight", "gauge", "Requests that a replica computes.", figures.inFlight);
    writer.one("trainyard_connections", "gauge", "Open connections.", figures.connections);
    writer.metric("trainyard_replicas", "gauge", "Replicas by state.");
    writer.value("state=\"busy\"", static_cast<double>(figures.replicasBusy));
    writer.value("state=\"idle\"", static_cast<double>(figures.replicasIdle));
    writer.value("state=\"starting\"", static_cast<double>(figures.replicasStarting));
    writer.one("trainyard_replica_restarts_total", "counter", "Replicas that ended and were replaced.",
               figures.restarts);
    writer.one("trainyard_ready", "gauge", "1: requests are answered.", figures.ready ? 1 : 0);
    writer.metric("trainyard_start_time_seconds", "gauge", "When the service started, in seconds since 1970.");
    writer.value({}, figures.startedAt);
    return writer.take();
}

} // namespace trainyard::serve
