// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/declared_fields.h"

#include <algorithm>

namespace trainyard::program {
namespace {

constexpr int kMostFieldDepth = 5;        // classes in classes
constexpr std::size_t kMostClasses = 500; // that are read for one script

std::vector<Span> inBrackets(const PythonFile& file, Span span) {
    const std::size_t open = file.find("(", span);
    if (open >= span.end) return {};
    return file.pieces({open + 1, file.token(open).partner});
}

// "a: int = 1" as name, type and value; without a colon the type is empty.
struct Declared {
    std::size_t name = 0;
    Span type{}, value{};
};

Declared declared(const PythonFile& file, Span span) {
    const std::size_t equals = file.find("=", span), colon = file.find(":", {span.begin, equals});
    return {span.begin, {std::min(colon + 1, equals), equals}, {std::min(equals + 1, span.end), span.end}};
}

} // namespace

Argument FieldReader::named(const PythonFile& file, std::size_t token, const FieldStyle& style) {
    Argument argument;
    argument.place = m_project.place(file, token);
    argument.name =
        style.prefix.substr(std::min<std::size_t>(2, style.prefix.size())) + std::string(file.token(token).text);
    std::string flag = "--" + argument.name;
    if (style.dashes) std::replace(flag.begin(), flag.end(), '_', '-');
    argument.flags = {flag};
    return argument;
}

void FieldReader::add(Argument argument, const FieldStyle& style) {
    if (argument.type == "bool" && style.negatable) {
        argument.action = Argument::Action::Negatable;
        const auto dot = argument.flags[0].rfind('.');
        const std::size_t at = dot == std::string::npos ? 2 : dot + 1;
        argument.flags.push_back(argument.flags[0].substr(0, at) + "no-" + argument.flags[0].substr(at));
    }
    m_book.add(std::move(argument), {});
}

bool FieldReader::isDataclass(const Found& found) {
    const auto& all = found.file->statements();
    for (std::size_t at = found.definition->statement; at > 0; --at) {
        const Span span = all[at - 1].span;
        if (!found.file->token(span.begin).isSign("@")) return false;
        for (std::size_t token = span.begin; token < span.end; ++token)
            if (found.file->token(token).text.ends_with("dataclass")) return true;
    }
    return false;
}

void FieldReader::dataclass(const Found& found, const FieldStyle& style, int depth) {
    if (!found || depth > kMostFieldDepth || ++m_classes > kMostClasses) return;
    const PythonFile& file = *found.file;
    const auto& all = file.statements();
    for (const Span base : inBrackets(file, found.head().span)) {
        const std::string name = file.dotted(base);
        const Found above = m_project.find(file, name);
        if (above && above.definition->isClass) dataclass(above, style, depth + 1);
        else if (!name.empty() && name != "object" && !name.ends_with("ABC") && !name.ends_with("Protocol"))
            m_book.note(m_project.place(file, base.begin), "the fields of " + name + "; it is not of the project");
    }
    const std::size_t first = found.definition->statement + 1, end = found.head().after;
    const std::uint32_t indent = first < end ? all[first].indent : 0;
    for (std::size_t at = first; at < end; ++at)
        if (all[at].indent == indent) field(found, all[at].span, style, depth);
}

void FieldReader::field(const Found& owner, Span span, const FieldStyle& style, int depth) {
    const PythonFile& file = *owner.file;
    const bool annotated =
        span.size() >= 3 && file.token(span.begin).kind == TokenKind::Name && file.token(span.begin + 1).isSign(":");
    if (!annotated) return;
    const Declared parts = declared(file, span);
    if (file.text(parts.type).find("ClassVar") != std::string::npos) return;
    if (const Found inner = m_project.find(file, file.dotted(parts.type));
        inner && inner.definition->isClass && isDataclass(inner)) {
        FieldStyle below = style;
        below.prefix = (style.prefix.empty() ? "--" : style.prefix) + std::string(file.token(span.begin).text) + ".";
        return dataclass(inner, below, depth + 1);
    }
    Argument argument = named(file, span.begin, style);
    readType(file, parts.type, argument);
    const std::size_t open = parts.value.empty() ? 0 : file.find("(", parts.value);
    std::size_t begin = 0;
    const std::string called = open > 0 && open < span.end ? file.dottedBefore(open, begin) : std::string();
    if (parts.value.empty()) argument.required = true;
    else if (begin == parts.value.begin &&
             (called.ends_with("field") || called.ends_with("HfArg") || called.ends_with("Field")))
        readFieldCall(file, open, argument);
    else setDefault(argument, valueOf(m_project, file, parts.value));
    add(std::move(argument), style);
}

// field(default=…, metadata={"help": …}).
void FieldReader::readFieldCall(const PythonFile& file, std::size_t open, Argument& argument) {
    argument.required = true;
    for (const Given& each : file.given(open)) {
        if (each.keyword == "default") {
            setDefault(argument, valueOf(m_project, file, each.value));
            argument.required = false;
        } else if (each.keyword == "default_factory") {
            const bool lambda = file.token(each.value.begin).isName("lambda");
            const bool list = file.text(each.value) == "list";
            const std::size_t colon = lambda ? file.find(":", each.value) + 1 : each.value.begin;
            setDefault(argument, list ? Value{Value::List{}} : valueOf(m_project, file, {colon, each.value.end}));
            argument.required = false;
        } else if (each.keyword == "help" || each.keyword == "description") {
            argument.help = plainText(valueOf(m_project, file, each.value));
        } else if (each.keyword == "metadata") {
            const Value value = valueOf(m_project, file, each.value);
            const auto* dict = std::get_if<Value::Dict>(&value.is);
            for (std::size_t at = 0; dict && at < dict->keys.size(); ++at)
                if (plainText(dict->keys[at]) == "help") argument.help = plainText(dict->values[at]);
        }
    }
}

// What an enumeration of the project can be.
Value FieldReader::enumValues(const Found& found) {
    const PythonFile& file = *found.file;
    const auto bases = inBrackets(file, found.head().span);
    const bool isEnum =
        std::any_of(bases.begin(), bases.end(), [&](Span each) { return file.text(each).ends_with("Enum"); });
    Value::List values;
    for (std::size_t at = found.definition->statement + 1; isEnum && at < found.head().after; ++at) {
        const Span span = file.statements()[at].span;
        if (span.size() >= 3 && file.token(span.begin + 1).isSign("="))
            values.push_back(valueOf(m_project, file, {span.begin + 2, span.end}));
    }
    return {std::move(values)};
}

// Optional[int], int | None, List[int], Literal["a", "b"], an enumeration.
void FieldReader::readType(const PythonFile& file, Span span, Argument& argument) {
    if (span.empty()) return;
    if (const std::size_t bar = file.find("|", span); bar < span.end) { // int | None
        const Span second{bar + 1, span.end};
        return readType(file, file.text({span.begin, bar}) == "None" ? second : Span{span.begin, bar}, argument);
    }
    const std::size_t open = file.find("[", span);
    std::size_t begin = 0;
    const std::string dotted = file.dottedBefore(std::min(open, span.end), begin);
    const std::string name = dotted.substr(dotted.rfind('.') + 1);
    if (open < span.end) {
        const Span inside{open + 1, file.token(open).partner};
        const auto pieces = file.pieces(inside);
        if (name == "Literal") {
            argument.type = "str";
            Value::List choices;
            for (const Span each : pieces) choices.push_back(valueOf(m_project, file, each));
            if (!choices.empty()) argument.type = typeOf(choices.front());
            return setChoices(argument, {std::move(choices)});
        }
        const bool isList =
            name == "List" || name == "list" || name == "Sequence" || name == "Tuple" || name == "tuple";
        if (isList) argument.nargs = "*";
        if ((isList || name == "Optional" || name == "Union" || name == "Annotated") && !pieces.empty())
            return readType(file, pieces.front(), argument);
    }
    argument.type = file.text(span);
    if (const Found found = m_project.find(file, file.dotted(span)); found && found.definition->isClass) {
        auto choices = enumValues(found);
        if (choices.size() > 1) setChoices(argument, std::move(choices));
    }
}

void FieldReader::function(const Found& found, const FieldStyle& style) {
    if (!found || ++m_classes > kMostClasses) return;
    const PythonFile& file = *found.file;
    for (const Span each : inBrackets(file, found.head().span)) {
        const Token& first = file.token(each.begin);
        if (first.kind != TokenKind::Name || first.isName("self") || first.isName("cls")) continue;
        const Declared parts = declared(file, each);
        Argument argument = named(file, each.begin, style);
        readType(file, parts.type, argument);
        argument.required = parts.value.empty();
        if (!argument.required) {
            Value value = valueOf(m_project, file, parts.value);
            if (parts.type.empty()) argument.type = typeOf(value);
            setDefault(argument, std::move(value));
        }
        add(std::move(argument), style);
    }
}

void FieldReader::variables(const PythonFile& file, std::size_t before) {
    const auto& all = file.statements();
    for (std::size_t at = 0; at < std::min(before, all.size()); ++at) {
        const Span span = all[at].span;
        const bool isSet = all[at].indent == 0 && span.size() >= 3 && file.token(span.begin).kind == TokenKind::Name &&
                           file.token(span.begin + 1).isSign("=");
        if (!isSet || file.token(span.begin).text.starts_with('_')) continue;
        Value value = valueOf(m_project, file, {span.begin + 2, span.end});
        const bool scalar = !file.token(span.begin + 2).opens() && !std::holds_alternative<Value::None>(value.is) &&
                            !std::holds_alternative<Value::List>(value.is) &&
                            !std::holds_alternative<Value::Dict>(value.is);
        if (!scalar) continue;
        Argument argument = named(file, span.begin, {});
        argument.type = typeOf(value);
        setDefault(argument, std::move(value));
        add(std::move(argument), {});
    }
}

} // namespace trainyard::program
