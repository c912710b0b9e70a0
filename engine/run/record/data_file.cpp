// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/data_file.h"

#include "engine/base/json_text.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

namespace trainyard::run {

namespace {

std::string lineOf(const Json& json) { return jsonText(json) + "\n"; }

} // namespace

Result<void> writeDataFiles(const RunFolder& folder, const wire::DataRead& read, Outlives outlives) {
    Json data = parseJson(read.json);
    if (!data.is_object()) data = Json::object();
    data["notes"] = read.notes;
    TY_TRY(writeFileAtomic(folder.dataFile(), lineOf(data), outlives));
    std::string lines;
    for (std::size_t i = 0; i < std::min(read.file.size(), read.reason.size()); ++i)
        lines += lineOf({{"file", read.file[i]}, {"error", read.reason[i]}});
    if (!lines.empty()) return writeFileAtomic(folder.dataErrorsFile(), lines, outlives);
    std::error_code ignored;
    std::filesystem::remove(folder.dataErrorsFile(), ignored); // of an earlier start
    return {};
}

Json readDataFile(const RunFolder& folder) {
    const auto text = readFile(folder.dataFile());
    auto json = text ? parseJson(*text) : Json();
    return json.is_object() ? json : Json();
}

std::string dataText(const Json& data) {
    const auto pin = data.is_object() ? data.find("pin") : data.end();
    if (pin == data.end() || !pin->is_object()) return {};
    const auto count = [&](const char* key) {
        const auto found = pin->find(key);
        return found != pin->end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
    };
    const auto task = data.find("task");
    const bool classes = task != data.end() && *task == "classification" && data.contains("classes");
    std::string text = classes ? jsonText(data["classes"]) + " classes, " : "";
    text += grouped(count("train")) + " samples to train on";
    if (count("validation") > 0) text += ", " + grouped(count("validation")) + " for validation";
    if (count("test") > 0) text += ", " + grouped(count("test")) + " for the test";
    return text;
}

std::string weightsText(const Json& data) {
    const auto weights = data.is_object() ? data.find("weights") : data.end();
    if (weights == data.end() || !weights->is_object()) return {};
    constexpr std::size_t kDigits = 12;
    const auto text = [&](const char* key) {
        const auto found = weights->find(key);
        return found != weights->end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    return "weights " + printable(std::filesystem::path(text("file")).filename().string(), 200) + ", SHA-256 " +
           printable(text("sha256").substr(0, kDigits));
}

} // namespace trainyard::run
