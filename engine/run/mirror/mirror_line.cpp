// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/mirror/mirror_line.h"

#include "engine/base/json_text.h"
#include "engine/base/text/base64.h"
#include "engine/store/row_json.h"
#include "engine/store/series_codec.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace trainyard::run {
namespace {

constexpr std::size_t kPiecePoints = 8000, kPieceLines = 2000;

// A number that JSON has not is a word.
Json asJson(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double numberFrom(const Json& json) {
    if (!json.is_string()) return json.get<double>();
    const auto& word = json.get_ref<const std::string&>();
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
}

Json asJson(const wire::Point& point) {
    return Json::array({point.step, asJson(point.epoch), asJson(point.seconds), asJson(point.value)});
}

wire::Point pointFrom(const Json& json) {
    return {json.at(0).get<std::int64_t>(), numberFrom(json.at(1)), numberFrom(json.at(2)), numberFrom(json.at(3))};
}

// As the store has them (SERIES.md), in base64.
Json asChunks(const std::vector<wire::Point>& points) {
    Json chunks = Json::array();
    for (std::size_t at = 0; at < points.size(); at += store::kChunkPoints) {
        const auto count = std::min(points.size() - at, store::kChunkPoints);
        const auto bytes = store::encodeChunk(std::span(points).subspan(at, count));
        chunks.push_back(toBase64({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    }
    return chunks;
}

// Throws Damaged, as Json throws where a field is missing.
struct Damaged {};
std::vector<wire::Point> pointsFrom(const Json& chunks) {
    std::vector<wire::Point> points;
    for (const auto& chunk : chunks) {
        const std::string bytes = fromBase64(chunk.get_ref<const std::string&>());
        const auto decoded = store::decodeChunk(std::as_bytes(std::span(bytes)));
        if (!decoded) throw Damaged();
        points.insert(points.end(), decoded->begin(), decoded->end());
    }
    return points;
}

template <class Row>
std::vector<Row> rowsFrom(const Json& list) {
    std::vector<Row> rows;
    for (const auto& each : list) store::fromJson(each, rows.emplace_back());
    return rows;
}

template <class Row>
Json asList(const std::vector<Row>& rows) {
    Json list = Json::array();
    for (const auto& row : rows) list.push_back(store::toJson(row));
    return list;
}

MirrorRequest readRequest(const Json& json) {
    MirrorRequest request{.run = json.at("run").get<std::string>()};
    for (const auto& [series, known] : json.at("series").items())
        request.series[series] = {known.at(0).get<std::int64_t>(), pointFrom(known.at(1))};
    request.logLines = json.at("log").get<std::int64_t>();
    if (json.contains("trial_events")) request.trialEvents = json["trial_events"].get<std::int64_t>();
    return request;
}

SweepNews readSweepNews(const Json& json) {
    SweepNews news;
    if (json.contains("row")) store::fromJson(json["row"], news.row.emplace());
    news.events = rowsFrom<store::TrialEventRow>(json.at("events"));
    news.decisions = rowsFrom<store::TrialDecisionRow>(json.at("decisions"));
    return news;
}

Json asJson(const SweepNews& news) {
    Json json{{"events", asList(news.events)}, {"decisions", asList(news.decisions)}};
    if (news.row) json["row"] = store::toJson(*news.row);
    return json;
}

MirrorNews readNews(const Json& json) {
    MirrorNews news{.run = json.at("run").get<std::string>()};
    if (json.contains("row")) store::fromJson(json["row"], news.row.emplace());
    if (json.contains("workers")) news.workers = rowsFrom<wire::WorkerState>(json["workers"]);
    if (json.contains("rewound_to")) news.rewoundTo = json["rewound_to"].get<std::int64_t>();
    if (json.contains("events")) news.events = rowsFrom<store::RunEventRow>(json["events"]);
    if (json.contains("checkpoints")) news.checkpoints = rowsFrom<store::CheckpointRow>(json["checkpoints"]);
    if (json.contains("sweep")) news.sweep = readSweepNews(json["sweep"]);
    for (const auto& each : json.value("points", Json::array()))
        news.points.push_back({each.at("series").get<std::string>(), each.at("first").get<std::int64_t>(),
                               pointsFrom(each.at("chunks"))});
    for (const auto& each : json.value("log", Json::array()))
        news.log.push_back({each.at(0).get<int>(), each.at(1).get<std::string>(), each.at(2).get<std::string>(),
                            each.at(3).get<std::int64_t>()});
    return news;
}

template <class Read>
auto readLine(std::string_view line, Read read) -> Result<decltype(read(Json()))> {
    const auto json = parseJson(line);
    try {
        if (json.is_object()) return read(json);
    } catch (const Json::exception&) { // a field is missing, or is not what it should be
    } catch (const Damaged&) {}
    return environmentError("a line is not part of a feed of runs: " +
                            std::string(line.substr(0, std::min<std::size_t>(line.size(), 60))));
}

} // namespace

std::string toLine(const MirrorRequest& request) {
    Json series = Json::object();
    for (const auto& [name, known] : request.series) series[name] = Json::array({known.count, asJson(known.last)});
    Json json{{"run", request.run}, {"series", series}, {"log", request.logLines}};
    if (request.trialEvents) json["trial_events"] = *request.trialEvents;
    return jsonText(json);
}

Result<MirrorRequest> mirrorRequestFrom(std::string_view line) { return readLine(line, readRequest); }

std::string toLine(const MirrorNews& news) {
    Json json{{"run", news.run}};
    if (news.row) json["row"] = store::toJson(*news.row);
    if (news.workers) json["workers"] = asList(*news.workers);
    if (news.rewoundTo) json["rewound_to"] = *news.rewoundTo;
    if (news.events) json["events"] = asList(*news.events);
    if (news.checkpoints) json["checkpoints"] = asList(*news.checkpoints);
    if (news.sweep) json["sweep"] = asJson(*news.sweep);
    for (const auto& delta : news.points) {
        json["points"].push_back(
            {{"series", delta.series}, {"first", delta.firstIndex}, {"chunks", asChunks(delta.points)}});
    }
    for (const auto& line : news.log)
        json["log"].push_back(Json::array({line.rank, line.level, line.text, line.wallMs}));
    return jsonText(json);
}

Result<MirrorNews> mirrorNewsFrom(std::string_view line) { return readLine(line, readNews); }

std::vector<MirrorNews> inPieces(MirrorNews news, bool isKnown) {
    auto points = std::exchange(news.points, {});
    auto log = std::exchange(news.log, {});
    const auto row = isKnown ? std::exchange(news.row, {}) : news.row;
    const std::string run = news.run;
    std::vector<MirrorNews> pieces;
    pieces.push_back(std::move(news)); // what is void goes before what is new
    std::size_t held = 0;
    for (auto& delta : points)
        for (std::size_t at = 0; at < delta.points.size();) {
            if (held >= kPiecePoints) pieces.push_back({.run = run}), held = 0;
            const auto count = std::min(delta.points.size() - at, kPiecePoints - held);
            const auto from = delta.points.begin() + static_cast<std::ptrdiff_t>(at);
            pieces.back().points.push_back({delta.series,
                                            delta.firstIndex + static_cast<std::int64_t>(at),
                                            {from, from + static_cast<std::ptrdiff_t>(count)}});
            at += count, held += count;
        }
    for (std::size_t at = 0; at < log.size(); at += kPieceLines) {
        if (at > 0) pieces.push_back({.run = run});
        const auto from = log.begin() + static_cast<std::ptrdiff_t>(at);
        const auto count = std::min(log.size() - at, kPieceLines);
        pieces.back().log.assign(std::move_iterator(from),
                                 std::move_iterator(from + static_cast<std::ptrdiff_t>(count)));
    }
    pieces.back().row = row;
    std::erase_if(pieces, [](const auto& piece) { return piece.empty(); });
    return pieces;
}

MirrorNews joined(std::vector<MirrorNews> pieces) {
    MirrorNews all;
    for (auto& piece : pieces) {
        all.run = std::move(piece.run);
        if (piece.row) all.row = std::move(piece.row);
        if (piece.workers) all.workers = std::move(piece.workers);
        if (piece.rewoundTo) all.rewoundTo = piece.rewoundTo;
        if (piece.events) all.events = std::move(piece.events);
        if (piece.checkpoints) all.checkpoints = std::move(piece.checkpoints);
        std::move(piece.points.begin(), piece.points.end(), std::back_inserter(all.points));
        std::move(piece.log.begin(), piece.log.end(), std::back_inserter(all.log));
    }
    return all;
}

Result<MirrorRequest> requestOf(store::RunQuery& record, const std::string& run) {
    MirrorRequest request{.run = run};
    const auto row = record.run(run);
    if (!row || row->id != run) return request;
    TY_ASSIGN(const auto summaries, record.summaries(run));
    for (const auto& each : summaries) {
        if (each.count <= 0) continue;
        TY_ASSIGN(const auto last, record.points(RunId(run), each.series, each.count - 1));
        if (!last.empty()) request.series[each.series] = {each.count, last.front()};
    }
    TY_ASSIGN(const auto log, record.log(run));
    request.logLines = std::ssize(log);
    return request;
}

} // namespace trainyard::run
