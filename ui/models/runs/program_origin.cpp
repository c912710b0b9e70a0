// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/program_origin.h"

#include "engine/run/program/facts/program_record.h"

#include <nlohmann/json.hpp>

namespace trainyard::ui {

namespace {

QString textAt(const Json& json, const char* part, const char* name) {
    const auto of = json.find(part);
    if (of == json.end() || !of->is_object()) return {};
    const auto at = of->find(name);
    return at != of->end() && at->is_string() ? QString::fromStdString(at->get<std::string>()) : QString();
}

} // namespace

ProgramOrigin programOrigin(const std::string& runFolder) {
    const Json record = run::readProgramRecord(run::RunFolder{runFolder});
    ProgramOrigin origin;
    if (!record.is_object()) return origin;
    if (const auto started = record.find("started"); started != record.end() && started->is_object())
        for (const auto& word : started->value("words", Json::array()))
            if (word.is_string()) origin.words << QString::fromStdString(word.get<std::string>());
    origin.interpreter = textAt(record, "started", "interpreter");
    origin.folder = textAt(record, "started", "folder");
    origin.commit = textAt(record, "git", "commit");
    origin.branch = textAt(record, "git", "branch");
    origin.remote = textAt(record, "git", "remote");
    if (const auto git = record.find("git"); git != record.end() && git->is_object())
        origin.isChanged = git->contains("changed") && git->at("changed") == Json(true);
    if (const auto python = run::pythonOfRecord(record)) {
        if (origin.interpreter.isEmpty()) origin.interpreter = QString::fromStdString(python->file);
        origin.python = QString::fromStdString(python->version);
        for (const auto& [name, version] : python->packages)
            origin.packages << qMakePair(QString::fromStdString(name), QString::fromStdString(version));
    }
    if (const auto driver = record.find("driver"); driver != record.end() && driver->is_string())
        origin.driver = QString::fromStdString(driver->get<std::string>());
    return origin;
}

} // namespace trainyard::ui
