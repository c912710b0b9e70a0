// SPDX-License-Identifier: GPL-3.0-or-later
// data inspect, data check, data pack: what a folder of pictures holds, what is bad in it, and all of it in a few
// files. The worker looks, since it alone decodes pictures.
#include "app/ctl/models/transfer_line.h"
#include "app/ctl/session.h"
#include "app/ctl/worker_call.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/base/text/amounts.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <thread>

namespace trainyard::ctl {
namespace {

constexpr double kDaysOfChecking = 7 * 86400.0;

struct DataArguments {
    std::string folder, labels, task = "classification";
    std::vector<std::string> columns;
    bool fix = false;
};

struct PackArguments {
    std::string folder, out;
    std::int64_t archiveMb = 1000;
};

std::vector<std::string> wordsOf(const char* verb, const DataArguments& arguments) {
    std::vector<std::string> words{"data", verb, std::filesystem::absolute(arguments.folder).string()};
    if (!arguments.labels.empty()) words.insert(words.end(), {"--labels", arguments.labels});
    for (const std::string& column : arguments.columns) words.insert(words.end(), {"--column", column});
    words.insert(words.end(), {"--task", arguments.task});
    if (arguments.fix) words.emplace_back("--fix");
    return words;
}

std::string count(const Json& json, const char* key, const char* one, const char* many) {
    const auto number = json.value(key, std::int64_t{0});
    return grouped(number) + " " + (number == 1 ? one : many);
}

std::string sides(const Json& pair) {
    return std::to_string(pair[0].get<int>()) + " x " + std::to_string(pair[1].get<int>());
}

void printNotes(const Json& json) {
    for (const Json& note : json["notes"]) std::printf("%s\n", forTerminal(note.get<std::string>()).c_str());
}

// By reason, with some files each.
void printUnread(const Json& files, std::int64_t count, const char* title) {
    if (count == 0) return;
    std::map<std::string, std::vector<std::string>> byReason;
    for (const Json& each : files) byReason[each.value("why", "")].push_back(each.value("file", ""));
    std::printf("%s: %s\n", title, grouped(count).c_str());
    for (const auto& [why, names] : byReason) {
        std::printf("  %s: %s\n", forTerminal(why).c_str(), grouped(static_cast<std::int64_t>(names.size())).c_str());
        for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 5); ++i)
            std::printf("    %s\n", forTerminal(names[i]).c_str());
        if (names.size() > 5) std::printf("    and %zu more\n", names.size() - 5);
    }
}

void printClasses(const Json& classes) {
    constexpr std::size_t kShown = 30;
    if (classes.empty()) return;
    std::vector<std::vector<std::string>> rows{{"class", "train", "validation", "test"}};
    for (std::size_t i = 0; i < std::min(classes.size(), kShown); ++i) {
        std::vector<std::string> row{classes[i].value("name", "")};
        for (const char* part : {"train", "validation", "test"})
            row.push_back(grouped(classes[i].value(part, std::int64_t{0})));
        rows.push_back(std::move(row));
    }
    printTable(rows);
    if (classes.size() > kShown) std::printf("and %zu more\n", classes.size() - kShown);
}

Result<int> inspect(const Session& session, const DataArguments& arguments) {
    TY_ASSIGN(const Json json, workerJson(wordsOf("inspect", arguments)));
    if (session.json) return printJson(json);
    std::printf("%s, %s, %s\n", count(json, "pictures", "picture", "pictures").c_str(),
                (grouped(static_cast<std::int64_t>(json["classes"].size())) +
                 (json["classes"].size() == 1 ? " class" : " classes"))
                    .c_str(),
                bytesText(json.value("bytes", std::int64_t{0})).c_str());
    if (json.contains("sides")) {
        const Json& all = json["sides"];
        std::printf("pictures looked at: %s, %s to %s\n", sides(all["median"]).c_str(), sides(all["smallest"]).c_str(),
                    sides(all["largest"]).c_str());
        std::printf("decoding all of them to 224 x 224 takes one core about %s\n",
                    duration(json.value("decodeSeconds", 0.0)).c_str());
    }
    printClasses(json["classes"]);
    printUnread(json["unread"], json.value("unreadCount", std::int64_t{0}), "cannot be read");
    printNotes(json);
    return 0;
}

Result<int> check(const Session& session, const DataArguments& arguments) {
    TY_ASSIGN(const Json json, workerJson(wordsOf("check", arguments), kDaysOfChecking));
    if (session.json) return printJson(json);
    const auto bad = static_cast<std::int64_t>(json["bad"].size());
    std::printf("%s decoded\n", count(json, "pictures", "picture", "pictures").c_str());
    printUnread(json["bad"], bad, "cannot be read");
    if (json.value("recovered", 0) > 0)
        std::printf("%s errors in the data that cost no pixel\n",
                    count(json, "recovered", "picture has", "pictures have").c_str());
    if (json.value("twiceCount", 0) > 0)
        std::printf("%s another one's bytes, %s of them across training and validation or test\n",
                    count(json, "twiceCount", "picture has", "pictures have").c_str(),
                    grouped(json.value("leaks", std::int64_t{0})).c_str());
    for (const Json& each : json["twice"])
        if (&each - &json["twice"].front() < 5)
            std::printf("  %s is %s\n", forTerminal(each.value("file", "")).c_str(),
                        forTerminal(each.value("first", "")).c_str());
    if (json.contains("movedTo"))
        std::printf("%s moved to %s\n", count(json, "moved", "file", "files").c_str(),
                    forTerminal(json.value("movedTo", "")).c_str());
    else if (bad > 0) std::printf("--fix moves them aside\n");
    printNotes(json);
    return 0;
}

// The worker tells nothing before it ends: how far it is follows from the files that it writes.
class PackWatch {
public:
    PackWatch(std::filesystem::path out, TransferLine::Style style)
        : m_out(std::move(out)), m_line(style), m_thread([this](const std::stop_token& stop) { watch(stop); }) {}

private:
    void watch(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            const auto plan = readFile(m_out.string() + ".part/plan");
            if (plan) m_line.update(m_out.filename().string(), written(), std::atoll(plan->c_str()));
        }
        m_line.end();
    }
    std::int64_t written() const {
        std::int64_t bytes = 0;
        std::error_code problem, ignored;
        for (const auto& entry : std::filesystem::directory_iterator(m_out.string() + ".part", problem))
            if (entry.path().extension() == ".tar")
                if (const auto size = entry.file_size(ignored); !ignored) bytes += static_cast<std::int64_t>(size);
        return bytes;
    }

    std::filesystem::path m_out;
    TransferLine m_line;
    std::jthread m_thread;
};

Result<int> pack(const Session& session, const PackArguments& arguments) {
    auto out = std::filesystem::absolute(arguments.out).lexically_normal();
    if (!out.has_filename()) out = out.parent_path(); // "birds.pack/"
    std::optional<PackWatch> watch;
    watch.emplace(out, session.json ? TransferLine::Style::Silent : TransferLine::Style::Text);
    const auto json = workerJson({"data", "pack", std::filesystem::absolute(arguments.folder).string(), "--out",
                                  out.string(), "--archive-bytes", std::to_string(arguments.archiveMb * 1'000'000)},
                                 kDaysOfChecking);
    watch.reset();
    if (!json && json.error().code == ErrorCode::WorkerKilled)
        return environmentError(json.error().message, out.string() + ".part",
                                "give the same command again: archives that are whole are kept")
            .withCode(ErrorCode::WorkerKilled);
    if (!json) return json.error();
    if (session.json) return printJson(*json);
    std::printf("%s in %s, %s: %s\n", count(*json, "pictures", "picture", "pictures").c_str(),
                count(*json, "archives", "archive", "archives").c_str(),
                bytesText(json->value("bytes", std::int64_t{0})).c_str(), forTerminal(json->value("out", "")).c_str());
    if (json->value("keptArchives", 0) > 0)
        std::printf("%s whole already\n", count(*json, "keptArchives", "archive was", "archives were").c_str());
    if (json->value("leftOutCount", 0) > 0)
        std::printf("left out, as they are no pictures: %s, such as %s\n",
                    count(*json, "leftOutCount", "file", "files").c_str(),
                    forTerminal((*json)["leftOut"][0].get<std::string>()).c_str());
    printNotes(*json);
    return 0;
}

void addPack(CLI::App& data, Session& session) {
    const auto arguments = std::make_shared<PackArguments>();
    auto* command = data.add_subcommand("pack", "put all pictures of a folder into a few archives that are trained on");
    command->add_option("FOLDER", arguments->folder, "folder of pictures, as a run file would name it")->required();
    command->add_option("-o,--out", arguments->out, "folder that is made; name it as the folder of the run")
        ->required();
    command->add_option("--archive-mb", arguments->archiveMb, "size of an archive")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
    addCommonOptions(*command, session);
    command->callback([&session, arguments] {
        session.action = [&session, arguments] {
            const auto code = pack(session, *arguments);
            return code ? *code : fail(code.error());
        };
    });
}

void addVerb(CLI::App& data, Session& session, const char* name, const char* help, bool mayFix,
             Result<int> (*act)(const Session&, const DataArguments&)) {
    const auto arguments = std::make_shared<DataArguments>();
    auto* command = data.add_subcommand(name, help);
    command->add_option("FOLDER", arguments->folder, "folder of pictures, as a run file would name it")->required();
    command->add_option("--labels", arguments->labels, "file of labels: CSV, TSV, JSON lines, a list, COCO, VOC")
        ->type_name("FILE");
    command->add_option("--column", arguments->columns, "column of the labels, where it is not named as one")
        ->allow_extra_args(false);
    command->add_option("--task", arguments->task, "what the labels are for")
        ->check(CLI::IsMember({"classification", "multi-label", "regression"}));
    if (mayFix) command->add_flag("--fix", arguments->fix, "move what cannot be read into the folder FOLDER-set-aside");
    addCommonOptions(*command, session);
    command->callback([&session, arguments, act] {
        session.action = [&session, arguments, act] {
            const auto code = act(session, *arguments);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace

void addDataCommands(CLI::App& app, Session& session) {
    auto* data = app.add_subcommand("data", "look at a folder of pictures before training on it");
    data->require_subcommand(1);
    addVerb(*data, session, "inspect", "what a folder holds: counts, classes, sizes, odd files; in a second", false,
            inspect);
    addVerb(*data, session, "check", "decode all pictures and list what is bad, or twice", true, check);
    addPack(*data, session);
}

} // namespace trainyard::ctl
