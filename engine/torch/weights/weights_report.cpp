// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/weights/weights_report.h"

#include "engine/base/json_text.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace trainyard::weights {
namespace {

using nlohmann::json;

constexpr std::size_t kMostLines = 10, kMostNames = 100; // a file may have any number of others

std::string headText(const WeightsReport& report) {
    const std::string here = grouped(report.headRowsOfModel);
    switch (report.head) {
    case WeightsReport::Head::New:
        return report.headRowsOfFile > 0
                   ? "the head is new (" + grouped(report.headRowsOfFile) + " outputs in the file, " + here + " here)"
                   : "the head is new (" + here + " outputs)";
    case WeightsReport::Head::Kept: return "the head is kept (" + here + " outputs)";
    case WeightsReport::Head::Rows:
        return "the head keeps the " + grouped(report.headRows) + " of " + here +
               " outputs whose classes the file knows";
    case WeightsReport::Head::None: return "the head is a part of the body";
    }
    return {};
}

json tensorsJson(const std::vector<WeightsReport::Tensor>& tensors) {
    json list = json::array();
    for (std::size_t i = 0; i < std::min(tensors.size(), kMostNames); ++i)
        list.push_back({{"name", tensors[i].name}, {"why", tensors[i].why}});
    return list;
}

void addLines(std::vector<std::string>& lines, const char* what, const std::vector<WeightsReport::Tensor>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (lines.size() >= kMostLines) {
            lines.push_back(std::to_string(tensors.size() - i) + " more " + what);
            return;
        }
        lines.push_back(printable(tensors[i].name, 200) + " " + what + ": " + tensors[i].why);
    }
}

} // namespace

double WeightsReport::share() const {
    return numbersOfModel > 0 ? static_cast<double>(numbers) / static_cast<double>(numbersOfModel) : 0;
}

const char* toString(WeightsReport::Head head) {
    switch (head) {
    case WeightsReport::Head::New: return "new";
    case WeightsReport::Head::Kept: return "kept";
    case WeightsReport::Head::Rows: return "rows";
    case WeightsReport::Head::None: return "none";
    }
    return "";
}

std::vector<std::string> linesOf(const WeightsReport& report) {
    std::string how = report.format;
    if (!report.dictionary.empty()) how += ", " + printable(report.dictionary, 60);
    if (!report.convention.empty()) how += ", names of " + report.convention;
    std::vector<std::string> lines{
        "weights " + printable(std::filesystem::path(report.file).filename().string(), 200) + " (" + how +
        (report.sha256.empty() ? "" : ", SHA-256 " + report.sha256.substr(0, 12)) + "): " + grouped(report.tensors) +
        " of " + grouped(report.tensorsOfModel) + " tensors and " + grouped(report.numbers) + " of " +
        grouped(report.numbersOfModel) + " numbers fit; " + headText(report)};
    addLines(lines, "made to fit", report.adapted);
    addLines(lines, "stays new", report.missing);
    return lines;
}

std::string jsonOf(const WeightsReport& report) {
    return jsonText(
        json{{"file", report.file},
             {"sha256", report.sha256},
             {"format", report.format},
             {"dictionary", report.dictionary},
             {"convention", report.convention},
             {"tensors", report.tensors},
             {"tensorsOfModel", report.tensorsOfModel},
             {"numbers", report.numbers},
             {"numbersOfModel", report.numbersOfModel},
             {"share", report.share()},
             {"head", toString(report.head)},
             {"headRows", report.headRows},
             {"headRowsOfFile", report.headRowsOfFile},
             {"headRowsOfModel", report.headRowsOfModel},
             {"adapted", tensorsJson(report.adapted)},
             {"missing", tensorsJson(report.missing)},
             {"unused", std::vector<std::string>(
                            report.unused.begin(),
                            report.unused.begin() + std::min<std::ptrdiff_t>(kMostNames, std::ssize(report.unused)))}});
}

} // namespace trainyard::weights
