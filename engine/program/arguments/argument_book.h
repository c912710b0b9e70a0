// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/arguments/argument.h"

#include <map>
#include <set>

namespace trainyard::program {

// A parser, or a group or subcommand of one, that a variable holds.
struct ParserRef {
    int parser = 0; // 0: it is not known which one
    std::string group{}, subcommand{};
    bool addsArguments = false; // it is a parser's method: add = parser.add_argument
};

// The arguments found so far, each once.
class ArgumentBook {
public:
    int newParser() { return ++m_parsers; }
    // The first one of a name counts. Where a later one has another default, which of them the program takes is not
    // certain.
    void add(Argument argument, const ParserRef& parser);
    void note(Place place, std::string what);
    void setDefault(const ParserRef& parser, const std::string& name, const Value& value);
    void require(const std::string& name);
    // parents=[parent]: the child has all that the parent has by now.
    void inherit(const ParserRef& parent, const ParserRef& child);
    void style(ArgumentStyle style);
    void configFile(std::string file) { m_found.configFile = std::move(file); }

    bool empty() const { return m_found.arguments.empty(); }
    ArgumentStyle style() const { return m_found.style; }
    ScriptArguments take();

private:
    ScriptArguments m_found{};
    std::vector<int> m_owners{}; // of each argument its parser
    std::map<std::pair<std::string, std::string>, std::size_t> m_byName{};
    std::set<std::pair<std::string, std::int64_t>> m_noted{};
    std::set<int> m_parents{};
    int m_parsers = 0;
};

} // namespace trainyard::program
