// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/program_fields.h"

#include "engine/program/line/word_split.h"
#include "engine/spec/run/program_spec.h"
#include "ui/forms/fields/form_grid.h"

#include <QLineEdit>

#include <charconv>
#include <cmath>

namespace trainyard::ui {

namespace {

using Words = std::vector<std::string>;

// A field: where its value stands, as the words or the number that are shown.
struct ProgramRow {
    const char *path, *title, *help, *empty;
    spec::ParamType type;
    std::vector<std::string> options;
    std::function<spec::Value(const spec::Program&)> get;
    std::function<Result<void>(spec::Program&, const spec::Value&)> set;
};

Result<Words> wordsIn(const spec::Value& value) { return program::splitWords(spec::toText(value)); }

Result<void> readVariables(spec::Program& program, const spec::Value& value) {
    TY_ASSIGN(const Words words, wordsIn(value));
    std::map<std::string, std::string> all;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        if (equals == 0 || equals == word.npos)
            return inputError(
                ProgramFields::tr("“%1” is not NAME=VALUE").arg(QString::fromStdString(word)).toStdString());
        all[word.substr(0, equals)] = word.substr(equals + 1);
    }
    program.environment = std::move(all);
    return {};
}

spec::Value variablesOf(const spec::Program& program) {
    Words words;
    for (const auto& [name, value] : program.environment) words.push_back(name + '=' + value);
    return program::joinWords(words);
}

ProgramRow wordsRow(const char* path, const char* title, const char* help, const char* empty,
                    Words spec::Program::* list) {
    return {path,
            title,
            help,
            empty,
            spec::ParamType::Text,
            {},
            [list](const spec::Program& from) { return spec::Value(program::joinWords(from.*list)); },
            [list](spec::Program& to, const spec::Value& value) -> Result<void> {
                TY_ASSIGN(to.*list, wordsIn(value));
                return {};
            }};
}

ProgramRow textRow(const char* path, const char* title, const char* help, const char* empty,
                   std::string spec::Program::* text) {
    return {path,
            title,
            help,
            empty,
            spec::ParamType::Text,
            {},
            [text](const spec::Program& from) { return spec::Value(from.*text); },
            [text](spec::Program& to, const spec::Value& value) -> Result<void> {
                to.*text = spec::toText(value);
                return {};
            }};
}

// "0.1" is a number, "true" a truth, anything else a text.
spec::ArgumentValue typedValue(const std::string& text) {
    if (text == "true" || text == "false") return text == "true";
    const char* end = text.data() + text.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end)
        return whole;
    double number = 0;
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && std::isfinite(number)) return number;
    return text;
}

std::string configValues(const spec::Program& program) {
    Words words;
    if (program.config)
        for (const auto& [name, value] : program.config->set) words.push_back(name + '=' + spec::argumentText(value));
    return program::joinWords(words);
}

Result<void> readConfigValues(spec::Program& program, const spec::Value& value) {
    TY_ASSIGN(const Words words, wordsIn(value));
    spec::ArgumentValues set;
    for (const auto& word : words) {
        const auto equals = word.find('=');
        if (equals == 0 || equals == word.npos)
            return inputError(
                ProgramFields::tr("“%1” is not NAME=VALUE").arg(QString::fromStdString(word)).toStdString());
        const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
        const auto before = program.config ? program.config->set.find(name) : set.end();
        const bool isSame =
            program.config && before != program.config->set.end() && spec::argumentText(before->second) == text;
        set[name] = isSame ? before->second : typedValue(text); // keeps lists, and texts that look like numbers
    }
    if (!set.empty() || program.config)
        program.config.emplace(program.config.value_or(spec::ProgramConfig{})).set = set;
    return {};
}

ProgramRow configRow(const char* path, const char* title, const char* help, const char* empty,
                     std::string spec::ProgramConfig::* text) {
    return {path,
            title,
            help,
            empty,
            spec::ParamType::Text,
            {},
            [text](const spec::Program& from) { return spec::Value(from.config ? *from.config.*text : std::string()); },
            [text](spec::Program& to, const spec::Value& value) -> Result<void> {
                const std::string given = spec::toText(value);
                if (!given.empty() && !to.config) to.config.emplace();
                if (to.config) *to.config.*text = given;
                return {};
            }};
}

const std::vector<ProgramRow>& programRows() {
    static const std::vector<ProgramRow> rows{
        wordsRow(
            "program.resume", QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Resume with"),
            QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                              "Words that are added when there is a checkpoint to go on from: --resume {checkpoint}"),
            QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "--resume {checkpoint}"), &spec::Program::resume),
        {"program.environment",
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Environment"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                           "Variables of its environment: NAME=VALUE, separated by blanks"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "NAME=VALUE …"),
         spec::ParamType::Text,
         {},
         variablesOf,
         readVariables},
        wordsRow("program.secrets", QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Secrets"),
                 QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                                   "Names of variables that are taken from here and written nowhere"),
                 QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "HF_TOKEN …"), &spec::Program::secrets),
        {"program.style",
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Style"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                           "How arguments are written; auto: as the script's package takes them"),
         "",
         spec::ParamType::Option,
         {"auto", "--a b", "--a=b", "a=b"},
         [](const spec::Program& from) { return spec::Value(from.style); },
         [](spec::Program& to, const spec::Value& value) -> Result<void> {
             to.style = spec::toText(value);
             return {};
         }},
        {"program.stop.graceSeconds",
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Stop grace"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                           "Time from the request to stop until the program is killed; longer while it saves"),
         "",
         spec::ParamType::Number,
         {},
         [](const spec::Program& from) { return spec::Value(from.stop.graceSeconds); },
         [](spec::Program& to, const spec::Value& value) -> Result<void> {
             to.stop.graceSeconds = std::get<double>(value);
             return {};
         }},
        {"program.code",
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Code"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                           "snapshot: the script's project as it is at the start; inPlace: as it is then, changes and "
                           "all; shared: on a file system that all hosts share"),
         "",
         spec::ParamType::Option,
         {"snapshot", "inPlace", "shared"},
         [](const spec::Program& from) { return spec::Value(from.code); },
         [](spec::Program& to, const spec::Value& value) -> Result<void> {
             to.code = spec::toText(value);
             return {};
         }},
        {"program.metrics.patterns",
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Printed metrics"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                           "+NAME takes a printed number as a metric, -NAME drops it; others are regular expressions "
                           "with the group value"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "'+grad norm' -tokens …"),
         spec::ParamType::Text,
         {},
         [](const spec::Program& from) { return spec::Value(program::joinWords(from.metrics.patterns)); },
         [](spec::Program& to, const spec::Value& value) -> Result<void> {
             TY_ASSIGN(to.metrics.patterns, wordsIn(value));
             return {};
         }},
        textRow(
            "program.prepare", QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Prepare"),
            QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                              "Shell text that is run once on each host; the program gets the environment it makes"),
            QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "module load cuda"), &spec::Program::prepare),
        textRow("program.preload", QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Preload"),
                QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                                  "Packages that are imported once for many starts: auto, off, or their names"),
                "auto", &spec::Program::preload),
        configRow("program.config.file", QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Config file"),
                  QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields",
                                    "A YAML, JSON or TOML file: the program gets a copy with the values below"),
                  QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "base.yaml"), &spec::ProgramConfig::file),
        configRow("program.config.argument", QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Config flag"),
                  QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "The argument that gets the path of the copy"),
                  QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "config"), &spec::ProgramConfig::argument),
        {"program.config.set",
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "Config values"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "What changes in the copy: NAME=VALUE, separated by blanks"),
         QT_TRANSLATE_NOOP("trainyard::ui::ProgramFields", "train.lr=0.1 …"),
         spec::ParamType::Text,
         {},
         [](const spec::Program& from) { return spec::Value(configValues(from)); },
         readConfigValues}};
    return rows;
}

} // namespace

ProgramFields::ProgramFields(FieldFold& fold, QWidget* parent) : QWidget(parent) {
    auto* layout = column(this, 4);
    for (const ProgramRow& each : programRows()) {
        spec::ParamInfo info{.name = each.path,
                             .title = tr(each.title).toStdString(),
                             .type = each.type,
                             .defaultValue = each.get(spec::Program{}),
                             .options = each.options,
                             .help = tr(each.help).toStdString()};
        if (each.type == spec::ParamType::Number) info.unit = "s";
        auto* field = new ParamField(info);
        if (auto* edit = field->findChild<QLineEdit*>(); edit && each.type == spec::ParamType::Text)
            edit->setPlaceholderText(tr(each.empty));
        auto* grid = new FormGrid(FormGrid::Varied);
        grid->addRow(tr(each.title), field);
        layout->addWidget(grid);
        fold.add({grid}, [field] { return needsRow(*field); });
        connect(field, &ParamField::changed, this, &ProgramFields::changed);
        m_fields.insert(QLatin1String(each.path), field);
    }
}

void ProgramFields::set(const spec::Program& program) {
    for (const ProgramRow& each : programRows()) m_fields[QLatin1String(each.path)]->setValue(each.get(program));
}

void ProgramFields::apply(spec::Program& program, QStringList& errors) {
    for (const ProgramRow& each : programRows()) {
        auto* field = m_fields[QLatin1String(each.path)];
        const auto value = field->value();
        const auto read = value ? each.set(program, *value) : Result<void>(value.error());
        const QString wrong = read ? QString() : QString::fromStdString(read.error().text());
        field->setError(wrong);
        if (!read) errors << tr("%1: %2").arg(tr(each.title), wrong);
    }
    if (program.config == spec::ProgramConfig{}) program.config.reset();
}

bool ProgramFields::setError(const QString& path, const QString& message) {
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        if (path != it.key() && !path.startsWith(it.key() + QLatin1Char('.'))) continue;
        it.value()->setError(message);
        return true;
    }
    return false;
}

QString ProgramFields::titleOf(const QString& path) const {
    for (const ProgramRow& each : programRows())
        if (path == QLatin1String(each.path) || path.startsWith(QLatin1String(each.path) + QLatin1Char('.')))
            return tr(each.title);
    return {};
}

} // namespace trainyard::ui
