// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/arguments/argument_book.h"
#include "engine/program/arguments/argument_calls.h"
#include "engine/program/arguments/declared_fields.h"

namespace trainyard::program {

// What the names of a function or file hold, as far as they are parsers:
// "parser", "self.parser".
using Parsers = std::map<std::string, ParserRef, std::less<>>;

// A call as it stands: target = receiver.method(…).
struct Site {
    Call call{};
    std::string receiver{}, method{}; // "self.parser", "add_argument"; receiver
                                      // "?": what another call gives
    std::string target{};             // "group", "return"; empty: nothing
    Span statement{};

    std::string dotted() const { return receiver.empty() ? method : receiver + "." + method; }
    const PythonFile& file() const { return *call.file; }
    Place place(const PythonProject& project) const { return project.place(*call.file, call.open); }
};

// The call whose bracket opens there; nothing: it is no call.
std::optional<Site> siteAt(const PythonFile& file, Span statement, std::size_t open);

// Follows the parsers of a script through its statements and into the functions
// of its project that get or make one. Bounded: it visits at most some millions
// of tokens.
class ParserWalk {
public:
    ParserWalk(PythonProject& project, ArgumentBook& book) : m_project(project), m_book(book) {}

    // The script from its first statement to its last, then what of it nothing
    // has called.
    void script(const PythonFile& file);

private:
    struct Scope {
        const PythonFile* file = nullptr;
        Parsers parsers{};
        std::optional<ParserRef> returned{};
        Found ofClass{};
        int depth = 0;
    };

    void pass(const PythonFile& file);
    void statements(Scope& scope, std::size_t from, std::size_t to);
    void statement(Scope& scope, Span span);
    void call(Scope& scope, const Site& site);
    bool parserCall(Scope& scope, const Site& site);
    void addArgument(const Scope& scope, const Site& site);
    void newParser(Scope& scope, const Site& site, ParserRef ref);
    void newSubcommand(Scope& scope, const Site& site);
    void newGroup(Scope& scope, const Site& site);
    void decorator(const PythonFile& file, Span span);
    bool declaringCall(const Scope& scope, const Site& site);
    void fieldsOf(const Site& site, ArgumentStyle style, const FieldStyle& fields);
    void lightningCli(const Site& site);
    void newDefaults(const Scope& scope, const Site& site);

    void imports(const PythonFile& file);
    void follow(Scope& scope, const Site& site);
    void followClass(Scope& scope, const Site& site, const Found& found, int depth);
    void enter(Scope& scope, const Site& site, const Found& found, Parsers parsers);
    Found callee(const Scope& scope, const Site& site, bool given);
    Found inherited(const Found& ofClass, std::string_view method, int depth);
    std::vector<Found> basesOf(const Found& ofClass);

    const ParserRef* parser(const Scope& scope, std::string_view name) const;
    bool isGiven(const Scope& scope, const Site& site) const;
    Parsers bound(const Scope& scope, const Site& site, const Found& found) const;
    void set(Scope& scope, const std::string& target, ParserRef ref);
    bool spend(std::size_t tokens);
    bool isScript(const PythonFile& file) const { return file.path() == m_project.script(); }

    PythonProject& m_project;
    ArgumentBook& m_book;
    std::map<const PythonFile*, Parsers> m_globals{};
    std::map<std::string, std::optional<ParserRef>> m_entered{}; // with the parser that it returned
    std::set<const Definition*> m_reached{};
    std::size_t m_visited = 0; // tokens
    bool m_everything = false; // follows every function of the project, not only
                               // those that look like it
};

} // namespace trainyard::program
