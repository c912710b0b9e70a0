// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/argument_values.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard::ui {

namespace {

using Words = std::vector<std::string>;

struct ValueWords {
    Q_DECLARE_TR_FUNCTIONS(Argument)
};

const ArgumentShape* find(const std::vector<ArgumentShape>& shapes, const std::string& name) {
    const auto found = std::ranges::find(shapes, name, [](const auto& each) { return each.argument.name; });
    return found == shapes.end() ? nullptr : &*found;
}

// A word as a number only where the number is written so again.
spec::ArgumentValue valueOfWord(const std::string& word) {
    bool ok = false;
    const QString text = QString::fromStdString(word);
    if (const auto whole = text.toLongLong(&ok); ok && std::to_string(whole) == word) return std::int64_t{whole};
    if (const double number = text.toDouble(&ok); ok && std::isfinite(number) && spec::toText(number) == word)
        return number;
    return word;
}

spec::ArgumentValue valueOfWords(const Words& words) {
    if (words.empty()) return true;
    if (words.size() == 1) return valueOfWord(words.front());
    std::vector<double> numbers;
    for (const auto& word : words) {
        const auto value = valueOfWord(word);
        if (const auto* whole = std::get_if<std::int64_t>(&value)) numbers.push_back(static_cast<double>(*whole));
        else if (const auto* number = std::get_if<double>(&value)) numbers.push_back(*number);
        else return words;
    }
    return numbers;
}

bool isFlag(const std::string& word) {
    bool number = false;
    (void)QString::fromStdString(word).toDouble(&number);
    return word.size() > 2 && word.starts_with("--") && !number;
}

// Whether the script is known to take these arguments and no others.
bool isComplete(const program::ScriptArguments& script) {
    return script.unread.empty() && script.configFile.empty() && script.style != program::ArgumentStyle::None &&
           script.style != program::ArgumentStyle::Hydra && !script.arguments.empty();
}

// Words that the script's arguments do not take, by the names of their flags; nothing: one has none.
std::optional<spec::ArgumentValues> namedRest(const Words& rest, bool bare) {
    spec::ArgumentValues values;
    for (std::size_t at = 0; at < rest.size();) {
        const std::string& word = rest[at++];
        const auto equals = word.find('=');
        const std::size_t skip = isFlag(word) ? 2 : 0;
        if ((!isFlag(word) && !(bare && equals != word.npos)) || equals == skip) return {};
        const std::string name = word.substr(skip, equals == word.npos ? equals : equals - skip);
        if (values.contains(name)) return {};
        if (equals != word.npos) {
            values[name] = valueOfWord(word.substr(equals + 1));
            continue;
        }
        Words own;
        while (at < rest.size() && !rest[at].starts_with("--")) own.push_back(rest[at++]);
        values[name] = valueOfWords(own);
    }
    return values;
}

} // namespace

program::ArgumentLine lineOfProgram(const spec::Program& program, const program::ScriptArguments& script,
                                    const std::vector<ArgumentShape>& shapes) {
    if (!program.words.empty()) return program::lineOf(program.words, script);
    program::ArgumentLine line;
    const bool bare =
        program.style == "a=b" || (program.style == "auto" && script.style == program::ArgumentStyle::Hydra);
    for (const auto& [name, value] : program.arguments) {
        if (const auto* shape = find(shapes, name)) {
            line.given[name] = givenOfValue(*shape, value);
            continue;
        }
        const auto* on = std::get_if<bool>(&value);
        if (bare || on) {
            if (bare) line.rest.push_back(name + '=' + spec::argumentText(value));
            else if (*on) line.rest.push_back("--" + name);
            continue;
        }
        line.rest.push_back("--" + name);
        if (const auto* words = std::get_if<Words>(&value)) {
            line.rest.insert(line.rest.end(), words->begin(), words->end());
        } else if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
            for (const double each : *numbers) line.rest.push_back(spec::toText(each));
        } else {
            line.rest.push_back(spec::argumentText(value));
        }
    }
    return line;
}

void setArguments(spec::Program& program, const program::ArgumentLine& line, const program::ScriptArguments& script,
                  const std::vector<ArgumentShape>& shapes, QList<ArgumentFault>& faults) {
    program.arguments.clear();
    program.words.clear();
    for (const auto& [name, given] : line.given) {
        const auto* shape = find(shapes, name);
        if (!shape) continue; // of another subcommand
        auto value = valueOfGiven(*shape, given);
        if (!value)
            faults << ArgumentFault{name, QString::fromStdString(shape->info.title),
                                    QString::fromStdString(value.error().message)};
        program.arguments[name] =
            value ? std::move(*value) : spec::ArgumentValue(textOfGiven(*shape, given).toStdString());
    }
    const bool bare = script.style == program::ArgumentStyle::Hydra || program.style == "a=b";
    auto rest = namedRest(line.rest, bare);
    const bool isRefused = isComplete(script) && !line.rest.empty(); // by name; in a list the script itself judges it
    if (!rest || isRefused || !line.subcommand.empty()) {
        program.arguments.clear();
        program.words = program::wordsOf(line, script, program.style);
        return;
    }
    program.arguments.merge(*rest);
}

QList<ArgumentFault> missingArguments(const program::ArgumentLine& line, const std::vector<ArgumentShape>& shapes) {
    QList<ArgumentFault> missing;
    for (const auto& shape : shapes) {
        const auto given = line.given.find(shape.argument.name);
        const auto* words = given == line.given.end() ? nullptr : std::get_if<Words>(&given->second);
        const bool isGiven = given != line.given.end() && (!words || !words->empty());
        if (!shape.argument.required || isGiven || shape.look == ArgumentShape::Look::Switch) continue;
        missing << ArgumentFault{shape.argument.name, QString::fromStdString(shape.info.title),
                                 ValueWords::tr("must be given")};
    }
    return missing;
}

} // namespace trainyard::ui
