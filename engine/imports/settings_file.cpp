// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/settings_file.h"

#include "engine/base/text/printable.h"
#include "engine/imports/text_lines.h"

#include <algorithm>
#include <array>

namespace trainyard::imports {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSettings = 1u << 20; // bytes

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

    void set(const std::string& name, Setting setting) {
        const std::string key = printable(name);
        if (std::none_of(m_run.settings.begin(), m_run.settings.end(),
                         [&](const auto& each) { return each.first == key; }))
            m_run.set(key, std::move(setting));
    }

    ImportedRun& m_run;
    std::vector<Open> m_open{};
    std::string m_list{}; // of the last name that was opened
    std::optional<std::size_t> m_skipsBelow{};
};

void readJsonSettings(std::string_view text, ImportedRun& run) {
    const JsonTold none = [](std::string_view, const JsonValue&) {};
    if (!readJsonObject(text, '.', none)) return;
    readJsonObject(text, '.', [&](std::string_view path, const JsonValue& value) {
        const std::string key = printable(path);
        const bool known =
            std::any_of(run.settings.begin(), run.settings.end(), [&](const auto& each) { return each.first == key; });
        if (auto setting = settingOf(value); setting && !known) run.set(key, std::move(*setting));
    });
}

} // namespace

std::vector<fs::path> settingsFilesOf(const fs::path& folder) {
    static constexpr std::array kNames{"hparams.yaml", "args.yaml", "params.json"};
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
    YamlSettings yaml(run);
    std::string json;
    std::string_view line;
    while (lines.next(line).valueOr(false) && json.size() < kMostSettings)
        if (path.extension() == ".json") json += std::string(line) + "\n";
        else yaml.line(line);
    yaml.endList();
    if (!json.empty()) readJsonSettings(json, run);
}

} // namespace trainyard::imports
