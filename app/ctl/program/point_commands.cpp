// SPDX-License-Identifier: GPL-3.0-or-later
// metric, log: what a program of any language tells the run that it belongs to.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/base/unique_fd.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace trainyard::ctl {
namespace {

constexpr const char* kFile = "TRAINYARD_METRICS";

// Adds one line in one write, so that lines of several processes never mix.
Result<void> append(std::string line) {
    const char* path = std::getenv(kFile);
    if (path == nullptr || *path == 0)
        return inputError("there is no run around this command", std::string("$") + kFile,
                          "call it from a program that was started with: trainyardctl run");
    // Neither a link is followed nor a FIFO waited for.
    const UniqueFd file(
        ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0644));
    if (!file) return systemError("the metrics of the run cannot be written", path);
    struct stat status{};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return environmentError("the metrics of the run cannot be written: this is no regular file", path, "remove it");
    line += '\n';
    const auto written = ::write(file.get(), line.data(), line.size());
    if (written < 0) return systemError("the metrics of the run cannot be written", path);
    if (static_cast<std::size_t>(written) != line.size())
        return environmentError("the disk took only a part of the line", path, "make room on it");
    return {};
}

// NaN and infinity are values of a curve. JSON has no words for them, those of Python are read.
Result<std::string> numberWord(const std::string& name, const std::string& text) {
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size())
        return inputError("\"" + printable(text, 40) + "\" is no number", printable(name, 80),
                          "for example: trainyardctl metric loss=0.3 step=10");
    if (std::isnan(number)) return std::string("NaN");
    if (std::isinf(number)) return std::string(number > 0 ? "Infinity" : "-Infinity");
    return jsonText(Json(number));
}

Result<std::string> memberOf(const std::string& word) {
    const auto equals = word.find('=');
    if (equals == word.npos || equals == 0)
        return inputError("\"" + printable(word, 60) + "\" is no name=value", {},
                          "for example: trainyardctl metric loss=0.3 step=10");
    const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
    for (const char* taken : {"checkpoint", "text", "event", "summary"})
        if (name == taken)
            return inputError("a series cannot be called " + name, {},
                              name == "checkpoint" ? "name a checkpoint with --checkpoint FILE"
                                                   : "choose another name");
    if (name == "step") {
        std::int64_t step = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), step);
        if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || step < 0)
            return inputError("\"" + printable(text, 40) + "\" is no whole number from 0 on", "step",
                              "for example: step=10");
        return "\"step\":" + std::to_string(step);
    }
    TY_ASSIGN(const auto number, numberWord(name, text));
    return jsonText(Json(name)) + ":" + number;
}

Result<std::string> metricLine(const std::vector<std::string>& words, const std::string& checkpoint) {
    std::string line = "{";
    for (const auto& word : words) {
        TY_ASSIGN(const auto member, memberOf(word));
        line += (line.size() > 1 ? "," : "") + member;
    }
    if (!checkpoint.empty()) {
        std::error_code failed;
        const auto path = std::filesystem::absolute(checkpoint, failed);
        if (!std::filesystem::exists(path, failed))
            return inputError("there is no such file", printable(checkpoint, 200), "save it first, then name it")
                .withCode(ErrorCode::FileMissing);
        line += std::string(line.size() > 1 ? "," : "") + "\"checkpoint\":" + jsonText(Json(path.string()));
    }
    if (line.size() == 1)
        return inputError("there is nothing to add", {}, "for example: trainyardctl metric loss=0.3 step=10");
    return line + "}";
}

int addMetric(const std::vector<std::string>& words, const std::string& checkpoint) {
    auto line = metricLine(words, checkpoint);
    if (!line) return fail(line.error());
    const auto added = append(std::move(*line));
    return added ? 0 : fail(added.error());
}

int addLog(const std::string& text) {
    const auto added = append(jsonText(Json{{"text", text}}));
    return added ? 0 : fail(added.error());
}

} // namespace

void addPointCommands(CLI::App& app, Session& session) {
    struct Options {
        std::vector<std::string> words;
        std::string checkpoint, text;
    };
    const auto options = std::make_shared<Options>();
    auto* metric = app.add_subcommand("metric", "inside a run: add a point to its curves");
    metric->add_option("VALUE", options->words, "name=value, for example loss=0.3 step=10 epoch=0.5")->take_all();
    metric->add_option("--checkpoint", options->checkpoint, "a file or folder that was just saved")->type_name("FILE");
    metric->callback(
        [&session, options] { session.action = [options] { return addMetric(options->words, options->checkpoint); }; });
    auto* log = app.add_subcommand("log", "inside a run: add a line to its log");
    log->add_option("TEXT", options->text, "the line")->required();
    log->callback([&session, options] { session.action = [options] { return addLog(options->text); }; });
}

} // namespace trainyard::ctl
