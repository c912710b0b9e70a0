// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/argument_book.h"

#include <algorithm>

namespace trainyard::program {
namespace {

constexpr std::size_t kMostArguments = 20'000, kMostUnread = 200;

bool isSameDefault(const Argument& a, const Argument& b) {
    if (!a.byDefault || !b.byDefault) return !a.byDefault && !b.byDefault;
    return pythonText(*a.byDefault) == pythonText(*b.byDefault);
}

} // namespace

void ArgumentBook::add(Argument argument, const ParserRef& parser) {
    if (m_found.arguments.size() >= kMostArguments) return note(argument.place, "there are too many arguments");
    argument.group = argument.group.empty() ? parser.group : argument.group;
    argument.subcommand = parser.subcommand;
    const std::string key = argument.positional() ? argument.name : argument.flags.front();
    const auto [found, isNew] = m_byName.try_emplace({argument.subcommand, key}, m_found.arguments.size());
    if (isNew) {
        m_found.arguments.push_back(std::move(argument));
        m_owners.push_back(parser.parser);
        return;
    }
    Argument& first = m_found.arguments[found->second];
    if (isSameDefault(first, argument) || !first.certain()) return;
    first.computed = "default: that of line " + std::to_string(first.place.line) + " or of " + argument.place.file +
                     ", line " + std::to_string(argument.place.line);
}

void ArgumentBook::note(Place place, std::string what) {
    if (m_found.unread.size() >= kMostUnread || !m_noted.emplace(place.file, place.line).second) return;
    m_found.unread.push_back({std::move(place), std::move(what)});
}

void ArgumentBook::setDefault(const ParserRef& parser, const std::string& name, const Value& value) {
    for (std::size_t at = 0; at < m_owners.size(); ++at) {
        Argument& each = m_found.arguments[at];
        if (each.name != name || m_owners[at] != parser.parser || each.subcommand != parser.subcommand) continue;
        each.byDefault = value;
        if (each.computed.starts_with("default: ")) each.computed.clear();
        if (!value.isLiteral()) each.computed = "default: " + pythonText(value);
    }
}

void ArgumentBook::require(const std::string& name) {
    for (Argument& each : m_found.arguments)
        if (each.name == name) each.required = true;
}

void ArgumentBook::inherit(const ParserRef& parent, const ParserRef& child) {
    if (parent.parser == 0 || parent.parser == child.parser) return;
    const std::size_t count = m_found.arguments.size();
    for (std::size_t at = 0; at < count; ++at) {
        if (m_owners[at] != parent.parser) continue;
        if (child.subcommand == m_found.arguments[at].subcommand) {
            m_owners[at] = child.parser; // it is the same argument of the command line
            continue;
        }
        Argument copy = m_found.arguments[at];
        add(std::move(copy), {child.parser, {}, child.subcommand});
    }
    m_parents.insert(parent.parser);
}

void ArgumentBook::style(ArgumentStyle style) {
    if (m_found.style == ArgumentStyle::None || m_found.style == ArgumentStyle::Argparse) m_found.style = style;
}

ScriptArguments ArgumentBook::take() {
    ScriptArguments taken = std::move(m_found);
    std::size_t kept = 0;
    for (std::size_t at = 0; at < taken.arguments.size(); ++at) {
        if (m_parents.contains(m_owners[at])) continue;
        if (kept != at) taken.arguments[kept] = std::move(taken.arguments[at]);
        ++kept;
    }
    taken.arguments.resize(kept);
    return taken;
}

} // namespace trainyard::program
