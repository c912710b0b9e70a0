// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/settings_file.h"

#include "engine/base/text/printable.h"
#include "engine/imports/numbers.h"
#include "engine/imports/text_lines.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace trainyard::imports {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSettings = 1u << 20; // bytes
constexpr const char *kWandbMetadata = "wandb-metadata.json", *kWandbSummary = "wandb-summary.json";

class YamlSettings {
public:
    explicit YamlSettings(ImportedRun& run) : m_run(run) {}

    void line(std::string_view text) {
        const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
        auto content = withoutSpaces(text);
        if (content.empty() || content.starts_with('#') || content.starts_with("---")) return;
        if (m_skipsBelow && indent > *m_skipsBelow) return; // a text of several lines
        m_skipsBelow.reset();
        if (content == "-" || content.starts_with("- ")) return item(content.substr(1));
        endList();
        while (!m_open.empty() && m_open.back().indent >= indent) m_open.pop_back();
        const auto colon = content.find(": ");
        const bool opens = colon == content.npos && content.ends_with(':');
        if (colon == content.npos && !opens) return;
        const std::string name = prefix() + std::string(plain(content.substr(0, opens ? content.size() - 1 : colon)));
        if (opens) return m_open.push_back({indent, name});
        value(name, withoutSpaces(content.substr(colon + 2)), indent);
    }

    void endList() {
        if (!m_list.empty()) set(m_open.back().name, "[" + m_list + "]");
        m_list.clear();
    }

private:
    struct Open {
        std::size_t indent = 0;
        std::string name;
    };

    std::string prefix() const { return m_open.empty() ? std::string() : m_open.back().name + "."; }

    static std::string_view plain(std::string_view text) {
        const bool quoted =
            text.size() >= 2 && text.front() == text.back() && (text.front() == '\'' || text.front() == '"');
        return quoted ? text.substr(1, text.size() - 2) : text;
    }

    void item(std::string_view text) {
        if (m_open.empty()) return;
        m_list += (m_list.empty() ? "" : ", ") + std::string(plain(withoutSpaces(text)));
    }

    void value(const std::string& name, std::string_view text, std::size_t indent) {
        if (text.starts_with('|') || text.starts_with('>')) {
            m_skipsBelow = indent;
        } else if (text.starts_with('!') || text.starts_with('&')) { // an object of Python: what it holds comes below
            m_open.push_back({indent, name});
        } else if (text == "null" || text == "~") {
            return;
        } else if (const auto content = plain(text); content.size() != text.size()) {
            set(name, std::string(content));
        } else if (text == "true" || text == "false") {
            set(name, text == "true");
        } else {
            const auto comment = text.find(" #");
            set(name, settingOf(withoutSpaces(text.substr(0, comment))));
        }
    }

    void set(const std::string& name, Setting setting) { m_run.set(printable(name), std::move(setting)); }

    ImportedRun& m_run;
    std::vector<Open> m_open{};
    std::string m_list{}; // of the last name that was opened
    std::optional<std::size_t> m_skipsBelow{};
};

// The values of a whole JSON object; nothing of one that is damaged.
void readWholeObject(std::string_view json, const JsonTold& told) {
    if (readJsonObject(json, '.', [](std::string_view, const JsonValue&) {})) readJsonObject(json, '.', told);
}

void readJsonSettings(std::string_view json, ImportedRun& run) {
    readWholeObject(json, [&](std::string_view path, const JsonValue& value) {
        if (auto setting = settingOf(value)) run.set(printable(path), std::move(*setting));
    });
}

// W&B's config.yaml has each setting as a map of its value and, in older versions, its description.
bool isWandbConfig(const ImportedRun& read) {
    return std::any_of(read.settings.begin(), read.settings.end(),
                       [](const auto& each) { return each.first.starts_with("_wandb."); });
}

// "lr.value" is lr, and "net.value.depth" net.depth; empty: none of the program's.
std::string wandbSetting(const std::string& path) {
    constexpr std::string_view kValue = ".value";
    const auto at = path.find(kValue);
    if (at == path.npos || path.starts_with("_wandb.")) return {};
    return path.substr(0, at) + path.substr(at + kValue.size());
}

void addSettings(const ImportedRun& read, ImportedRun& run) {
    const bool isWandb = isWandbConfig(read);
    std::set<std::string> known;
    for (const auto& [name, setting] : run.settings) known.insert(name);
    for (const auto& [path, setting] : read.settings) {
        const std::string name = isWandb ? wandbSetting(path) : path;
        if (!name.empty() && known.insert(name).second) run.settings.emplace_back(name, setting);
    }
}

void readWandbMetadata(std::string_view json, ImportedRun& run) {
    readWholeObject(json, [&](std::string_view path, const JsonValue& value) {
        if (path == "startedAt" && value.kind == JsonValue::Kind::Text)
            run.startedSeconds = secondsOfIsoTime(value.text);
    });
}

void readWandbSummary(std::string_view json, ImportedRun& run) {
    Point last{.step = -1};
    for (const auto& [name, points] : run.series)
        if (points.back().step > last.step) last = points.back();
    if (last.step < 0) return;
    std::map<std::string, double> numbers;
    std::set<std::string> media; // pictures and the like: objects with a type
    readWholeObject(json, [&](std::string_view path, const JsonValue& value) {
        constexpr std::string_view kType = "._type";
        if (path.ends_with(kType)) media.emplace(path.substr(0, path.size() - kType.size()));
        if (value.isNumber() && !path.starts_with('_')) numbers.emplace(path, value.number);
    });
    for (const auto& [name, number] : numbers) {
        if (run.series.contains(printable(name)) || media.contains(name.substr(0, name.rfind('.')))) continue;
        last.value = number;
        run.series[printable(name)].push_back(last);
    }
}

} // namespace

std::vector<fs::path> settingsFilesOf(const fs::path& folder) {
    static constexpr std::array kNames{"hparams.yaml",       "args.yaml",    "params.json", "config.yaml",
                                       ".hydra/config.yaml", kWandbMetadata, kWandbSummary};
    std::vector<fs::path> files;
    std::error_code gone;
    for (const char* name : kNames)
        if (fs::is_regular_file(fs::symlink_status(folder / name, gone))) files.push_back(folder / name);
    return files;
}

void readSettingsFile(const fs::path& path, ImportedRun& run) {
    auto file = FileReader::open(path);
    if (!file) return;
    TextLines lines(std::move(*file), kMostSettings);
    ImportedRun read;
    YamlSettings yaml(read);
    std::string json;
    std::string_view line;
    while (lines.next(line).valueOr(false) && json.size() < kMostSettings)
        if (path.extension() == ".json") json += std::string(line) + "\n";
        else yaml.line(line);
    yaml.endList();
    if (path.filename() == kWandbMetadata) return readWandbMetadata(json, run);
    if (path.filename() == kWandbSummary) return readWandbSummary(json, run);
    if (!json.empty()) readJsonSettings(json, read);
    addSettings(read, run);
}

} // namespace trainyard::imports
