// SPDX-License-Identifier: GPL-3.0-or-later
// What a parser is asked to do.
#include "engine/program/arguments/parser_walk.h"

#include <algorithm>
#include <array>

namespace trainyard::program {
namespace {

constexpr std::size_t kMostVisited = 8'000'000; // tokens: below half a second

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// "if __name__ == …": an imported file does not run it.
bool isMainGuard(const PythonFile& file, Span span) {
    return span.size() > 2 && file.token(span.begin).isName("if") && file.token(span.begin + 1).isName("__name__");
}

// "parser = …" and "parser: ArgumentParser = …": what is set; "return": given
// back.
std::string targetOf(const PythonFile& file, Span statement, std::size_t begin) {
    if (begin <= statement.begin) return {};
    const Token& before = file.token(begin - 1);
    if (before.isName("return")) return "return";
    if (!before.isSign("=")) return {};
    const Span left{statement.begin, begin - 1};
    return file.dotted({left.begin, file.find(":", left)});
}

} // namespace

std::optional<Site> siteAt(const PythonFile& file, Span statement, std::size_t open) {
    if (open == 0 || open <= statement.begin || file.token(open - 1).kind != TokenKind::Name) return std::nullopt;
    Site site;
    site.call = {&file, open};
    site.statement = statement;
    site.method = file.token(open - 1).text;
    std::size_t begin = open - 1;
    const std::string dotted = file.dottedBefore(open, begin);
    if (dotted.empty()) {
        site.receiver = "?";
        return site;
    }
    if (dotted.size() > site.method.size()) site.receiver = dotted.substr(0, dotted.size() - site.method.size() - 1);
    site.target = targetOf(file, statement, begin);
    return site;
}

void ParserWalk::script(const PythonFile& file) {
    pass(file);
    if (!m_book.empty() || m_book.style() != ArgumentStyle::None) return;
    m_everything = true; // the parser is made by a function with another name
    m_entered.clear();
    m_reached.clear();
    pass(file);
}

void ParserWalk::pass(const PythonFile& file) {
    imports(file);
    Scope top{.file = &file};
    statements(top, 0, file.statements().size());
    for (const Definition& each : file.definitions()) {
        if (each.isClass || m_reached.contains(&each)) continue;
        Scope unknown{.file = &file, .depth = 1};
        enter(unknown, {.call = {&file, 0}}, {&file, &each}, {});
    }
}

void ParserWalk::statements(Scope& scope, std::size_t from, std::size_t to) {
    const auto& all = scope.file->statements();
    for (std::size_t at = from; at < to;) {
        const Span span = all[at].span;
        const Token& first = scope.file->token(span.begin);
        const bool isDefinition = first.isName("def") || first.isName("class") ||
                                  (first.isName("async") && scope.file->token(span.begin + 1).isName("def"));
        const bool isElsewhere = isMainGuard(*scope.file, span) && !isScript(*scope.file);
        if (isDefinition || isElsewhere) {
            at = std::max(all[at].after, at + 1);
            continue;
        }
        statement(scope, span);
        ++at;
    }
}

// False when too much was done already.
bool ParserWalk::spend(std::size_t tokens) {
    m_visited += tokens;
    if (m_visited < kMostVisited) return true;
    m_book.note({m_project.script().filename().string(), 1}, "the script is too large to follow all of its functions");
    return false;
}

void ParserWalk::statement(Scope& scope, Span span) {
    const PythonFile& file = *scope.file;
    if (!spend(span.size())) return;
    if (file.token(span.begin).isSign("@")) return decorator(file, span);
    for (std::size_t at = span.begin + 1; at < span.end; ++at)
        if (file.token(at).isSign("("))
            if (const auto site = siteAt(file, span, at)) call(scope, *site);
    if (file.token(span.begin).isName("return")) {
        if (const auto* known = parser(scope, file.dotted({span.begin + 1, span.end}))) scope.returned = *known;
        return;
    }
    const std::size_t equals = file.find("=", span);
    if (equals == span.end) return;
    const std::string source = file.dotted({equals + 1, span.end}), target = file.dotted({span.begin, equals});
    if (target.empty() || source.empty()) return;
    if (const auto* known = parser(scope, source)) {
        set(scope, target, *known);
    } else if (source.ends_with(".add_argument")) { // add = parser.add_argument
        const auto* holder = parser(scope, source.substr(0, source.rfind('.')));
        ParserRef method = holder ? *holder : ParserRef{};
        method.addsArguments = true;
        set(scope, target, std::move(method));
    }
}

void ParserWalk::call(Scope& scope, const Site& site) {
    if (!declaringCall(scope, site) && !parserCall(scope, site)) follow(scope, site);
}

bool ParserWalk::parserCall(Scope& scope, const Site& site) {
    const auto* receiver = parser(scope, site.receiver);
    const auto* itself = site.receiver.empty() ? parser(scope, site.method) : nullptr;
    if (site.method == "add_argument" || (itself && itself->addsArguments) ||
        (receiver && isOneOf(site.method, {"add", "add_arg"}))) {
        addArgument(scope, site);
    } else if (isOneOf(site.method, {"add_argument_group", "add_mutually_exclusive_group"})) {
        newGroup(scope, site);
    } else if (site.method == "add_subparsers") {
        if (receiver) set(scope, site.target, *receiver);
    } else if (site.method == "add_parser") {
        newSubcommand(scope, site);
    } else if (site.method == "set_defaults") {
        newDefaults(scope, site);
    } else if (site.method.ends_with("ArgumentParser") || isOneOf(site.method, {"ArgParser", "ConfigArgParse"})) {
        if (m_project.findName(site.file(), site.method)) return false; // a class of the project: it may add some
        newParser(scope, site, {.parser = m_book.newParser()});
    } else {
        return false;
    }
    return true;
}

void ParserWalk::addArgument(const Scope& scope, const Site& site) {
    const auto* known = parser(scope, site.receiver.empty() ? site.method : site.receiver);
    m_book.style(ArgumentStyle::Argparse);
    auto added = argparseArgument(m_project, site.call);
    if (added.argument) m_book.add(*std::move(added.argument), known ? *known : ParserRef{});
    else if (!added.unread.empty()) m_book.note(site.place(m_project), added.unread);
}

// A parser, or a subcommand of one: with what its parents have.
void ParserWalk::newParser(Scope& scope, const Site& site, ParserRef ref) {
    m_book.style(ArgumentStyle::Argparse);
    const auto given = site.call.given();
    if (const Given* parents = site.call.find(given, "parents")) {
        const PythonFile& file = site.file();
        const Token& first = file.token(parents->value.begin);
        const Span inside =
            first.opens() ? Span{parents->value.begin + 1, first.partner} : parents->value; // [a, b] or (a,)
        for (const Span each : file.pieces(inside)) {
            if (const auto* parent = parser(scope, file.dotted(each))) m_book.inherit(*parent, ref);
            else
                m_book.note(site.place(m_project), "the arguments of the parent " + file.text(each) + " are not known");
        }
    }
    set(scope, site.target, std::move(ref));
}

void ParserWalk::newSubcommand(Scope& scope, const Site& site) {
    const auto* known = parser(scope, site.receiver);
    const auto given = site.call.given();
    if (given.empty()) return;
    const Given* named = site.call.find(given, "name");
    const Value name = valueOf(m_project, site.file(), named ? named->value : given.front().value);
    if (!name.isLiteral())
        m_book.note(site.place(m_project), "the name of a subcommand is computed: " + pythonText(name));
    const std::string above = known ? known->subcommand : "";
    newParser(scope, site, {m_book.newParser(), {}, above + (above.empty() ? "" : " ") + plainText(name)});
}

void ParserWalk::newGroup(Scope& scope, const Site& site) {
    const auto* known = parser(scope, site.receiver);
    ParserRef group = known ? *known : ParserRef{};
    const auto given = site.call.given();
    const Given* title = site.call.find(given, "title");
    if (!title && !given.empty() && given.front().keyword.empty()) title = &given.front();
    if (title && site.method == "add_argument_group")
        group.group = plainText(valueOf(m_project, site.file(), title->value));
    set(scope, site.target, std::move(group));
}

void ParserWalk::newDefaults(const Scope& scope, const Site& site) {
    const auto* known = parser(scope, site.receiver);
    for (const Given& each : site.call.given()) {
        if (!each.keyword.empty())
            m_book.setDefault(known ? *known : ParserRef{}, std::string(each.keyword),
                              valueOf(m_project, site.file(), each.value));
        else if (each.spread)
            m_book.note(site.place(m_project), "defaults are computed: " + site.file().text(each.value));
    }
}

const ParserRef* ParserWalk::parser(const Scope& scope, std::string_view name) const {
    if (name.empty()) return nullptr;
    if (const auto found = scope.parsers.find(name); found != scope.parsers.end()) return &found->second;
    const auto globals = m_globals.find(scope.file);
    if (globals == m_globals.end()) return nullptr;
    const auto found = globals->second.find(name);
    return found == globals->second.end() ? nullptr : &found->second;
}

void ParserWalk::set(Scope& scope, const std::string& target, ParserRef ref) {
    if (target.empty()) return;
    if (target == "return") scope.returned = std::move(ref);
    else if (scope.depth == 0) m_globals[scope.file][target] = std::move(ref);
    else scope.parsers[target] = std::move(ref);
}

} // namespace trainyard::program
