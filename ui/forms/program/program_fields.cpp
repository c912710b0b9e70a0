// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/program_fields.h"

#include "engine/program/line/word_split.h"
#include "engine/spec/run/program_spec.h"
#include "ui/forms/fields/form_grid.h"

#include <QLineEdit>

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
         }}};
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
