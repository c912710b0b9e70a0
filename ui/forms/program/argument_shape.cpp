// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/argument_shape.h"

#include "engine/program/checkpoints/resume_words.h"
#include "engine/program/line/word_split.h"
#include "ui/forms/fields/param_field.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard::ui {

namespace {

using program::Argument;
using Words = std::vector<std::string>;
using Look = ArgumentShape::Look;

struct ArgumentWords {
    Q_DECLARE_TR_FUNCTIONS(Argument)
};

constexpr std::size_t kMostChoices = 2000;

QString plain(const std::string& text) { return QString::fromStdString(text); }

// The words that a function makes a truth of are its own; all of them know these.
bool readsTruth(const Argument& argument) {
    const QString type = plain(argument.type).section(QLatin1Char('.'), -1).toLower();
    return type == QLatin1String("bool") || type == QLatin1String("boolean") || type == QLatin1String("str2bool") ||
           type == QLatin1String("str_to_bool") || type == QLatin1String("string_to_bool") ||
           type == QLatin1String("strtobool");
}

spec::ParamType typeOf(const Argument& argument) {
    const bool list = program::takesList(argument);
    if (argument.type == "int") return list ? spec::ParamType::IntegerList : spec::ParamType::Integer;
    if (argument.type == "float") return list ? spec::ParamType::NumberList : spec::ParamType::Number;
    return spec::ParamType::Text;
}

bool namesRate(const std::string& name) {
    for (const char* word : {"lr", "learning_rate", "weight_decay", "wd", "eps"})
        if (name == word || name.ends_with(std::string("_") + word) || name.ends_with(std::string(".") + word))
            return true;
    return false;
}

QString titleOf(const Argument& argument) {
    std::string flag = argument.flags.empty() ? argument.name : argument.flags.front();
    for (const auto& each : argument.flags) {
        if (!each.starts_with("--")) continue;
        flag = each;
        break;
    }
    QString title = plain(flag);
    while (title.startsWith(QLatin1Char('-'))) title.remove(0, 1);
    return title.endsWith(QLatin1Char('=')) ? title.chopped(1) : title;
}

ArgumentShape shapeOf(const Argument& argument) {
    ArgumentShape shape{.argument = argument, .group = plain(argument.group), .usual = {}, .doubt = {}, .offer = {}};
    shape.info = {.name = argument.name,
                  .title = titleOf(argument).toStdString(),
                  .type = typeOf(argument),
                  .help = argument.help};
    shape.info.logScale = namesRate(argument.name);
    if (program::isSwitch(argument) ||
        (readsTruth(argument) && !program::takesList(argument) && argument.nargs != "?")) {
        shape.look = Look::Switch;
        shape.info.type = spec::ParamType::Flag;
    } else if (!argument.choices.empty() && argument.choices.size() <= kMostChoices && !program::takesList(argument)) {
        shape.look = Look::Choice;
        shape.info.type = spec::ParamType::Option;
        for (const auto& choice : argument.choices) shape.info.options.push_back(plainText(choice));
    }
    if (argument.byDefault) shape.usual = textOfGiven(shape, program::defaultOf(argument));
    shape.doubt = plain(argument.computed);
    return shape;
}

bool isOn(const std::string& word) {
    const QString text = plain(word).toLower();
    return text == QLatin1String("true") || text == QLatin1String("1") || text == QLatin1String("yes") ||
           text == QLatin1String("y") || text == QLatin1String("t") || text == QLatin1String("on");
}

} // namespace

QStringList subcommandsOf(const program::ScriptArguments& script) {
    QStringList all;
    for (const Argument& each : script.arguments)
        if (const QString name = plain(each.subcommand); !name.isEmpty() && !all.contains(name)) all << name;
    return all;
}

std::vector<ArgumentShape> argumentShapes(const program::ScriptArguments& script, const std::string& subcommand) {
    std::vector<ArgumentShape> shapes;
    QStringList groups{ArgumentWords::tr("Required"), ArgumentWords::tr("Arguments")};
    for (const Argument& each : program::settable(script)) {
        if (!each.subcommand.empty() && each.subcommand != subcommand) continue;
        ArgumentShape shape = shapeOf(each);
        if (each.required) shape.group = groups.front();
        else if (!each.subcommand.empty()) shape.group = plain(each.subcommand);
        else if (shape.group.isEmpty()) shape.group = groups[1];
        if (!groups.contains(shape.group)) groups << shape.group;
        shapes.push_back(std::move(shape));
    }
    for (const auto& [name, value] : program::suggestionsFor(script).output) {
        const auto shape = std::ranges::find(shapes, name, [](const auto& each) { return each.argument.name; });
        if (shape != shapes.end() && shape->look == Look::Text) shape->offer = plain(value);
    }
    std::stable_sort(shapes.begin(), shapes.end(), [&groups](const ArgumentShape& a, const ArgumentShape& b) {
        return groups.indexOf(a.group) < groups.indexOf(b.group);
    });
    return shapes;
}

bool isFound(const ArgumentShape& shape, const QString& typed) {
    const auto flat = [](QString text) { return text.toLower().replace(QLatin1Char('_'), QLatin1Char('-')); };
    const QString all = flat(plain(shape.info.title) + QLatin1Char(' ') + plain(shape.info.name) + QLatin1Char(' ') +
                             plain(shape.info.help) + QLatin1Char(' ') + shape.group);
    const QStringList words = flat(typed).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&all](QString word) {
        while (word.startsWith(QLatin1Char('-'))) word.remove(0, 1);
        return all.contains(word);
    });
}

QString textOfGiven(const ArgumentShape& shape, const program::Given& given) {
    if (const auto* on = std::get_if<bool>(&given)) return *on ? QStringLiteral("True") : QStringLiteral("False");
    const auto& words = std::get<Words>(given);
    if (program::takesList(shape.argument)) return plain(program::joinWords(words));
    return words.empty() ? QString() : plain(words.front());
}

std::optional<program::Given> givenOfText(const ArgumentShape& shape, const QString& text) {
    if (shape.look == Look::Switch) {
        const bool on = isOn(text.toStdString());
        if (program::isSwitch(shape.argument)) return program::Given(on);
        const bool onlyEmpty = shape.argument.type == "bool" && shape.argument.action == Argument::Action::Store &&
                               shape.argument.flags.size() == 1 && shape.argument.nargs.empty();
        return program::Given(Words{on ? "True" : onlyEmpty ? "" : "False"});
    }
    if (text.trimmed().isEmpty() && shape.look == Look::Text) return {};
    if (!program::takesList(shape.argument)) {
        const spec::ParamType type = typeOf(shape.argument);
        if (type == spec::ParamType::Text || shape.look == Look::Choice)
            return program::Given(Words{text.toStdString()});
        const auto number = readValue(text, type); // "0,1" as people write it
        const bool isPlain = !text.contains(QLatin1Char(',')) || !number;
        return program::Given(Words{isPlain ? text.trimmed().toStdString() : spec::toText(*number)});
    }
    return program::Given(program::splitWords(text.toStdString()).valueOr(Words{text.toStdString()}));
}

Result<spec::ArgumentValue> valueOfGiven(const ArgumentShape& shape, const program::Given& given) {
    if (const auto* on = std::get_if<bool>(&given)) return spec::ArgumentValue(*on);
    const auto& words = std::get<Words>(given);
    const std::string first = words.empty() ? std::string() : words.front();
    if (shape.look == Look::Switch) return spec::ArgumentValue(isOn(first));
    if (shape.look == Look::Choice && shape.argument.certain() &&
        std::ranges::find(shape.info.options, first) == shape.info.options.end())
        return inputError(ArgumentWords::tr("“%1” is none of its choices").arg(plain(first)).toStdString());
    const spec::ParamType type = typeOf(shape.argument);
    if (type == spec::ParamType::Text)
        return program::takesList(shape.argument) ? spec::ArgumentValue(words) : spec::ArgumentValue(first);
    QString text;
    for (const auto& word : words) text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + plain(word);
    TY_ASSIGN(const spec::Value value, readValue(text, type));
    return std::visit([](const auto& held) { return spec::ArgumentValue(held); }, value);
}

program::Given givenOfValue(const ArgumentShape& shape, const spec::ArgumentValue& value) {
    if (const auto* on = std::get_if<bool>(&value))
        return *givenOfText(shape, *on ? QStringLiteral("True") : QStringLiteral("False"));
    if (const auto* words = std::get_if<Words>(&value)) return *words;
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        Words words;
        for (const double each : *list) words.push_back(spec::toText(each));
        return words;
    }
    const std::string text = spec::argumentText(value);
    if (shape.look == Look::Switch) return *givenOfText(shape, plain(text));
    return Words{text};
}

spec::Value axisValue(const spec::ArgumentValue& value) {
    if (const auto* words = std::get_if<Words>(&value)) return program::joinWords(*words);
    return std::visit(
        [](const auto& held) -> spec::Value {
            if constexpr (std::is_constructible_v<spec::Value, decltype(held)>) return held;
            else return {};
        },
        value);
}

} // namespace trainyard::ui
