// SPDX-License-Identifier: GPL-3.0-or-later
// Into which functions a parser is followed.
#include "engine/program/arguments/parser_walk.h"

#include <algorithm>
#include <cctype>

namespace trainyard::program {
namespace {

constexpr int kMostCalls = 12;            // within one another
constexpr int kMostUnnamed = 3;           // where every function is followed
constexpr int kMostAncestors = 6;         // of a class
constexpr std::size_t kCostOfLookUp = 50; // in tokens

// A function whose name says that it has to do with arguments: get_args, build_parser, TrainOptions.
bool looksLikeParsing(std::string_view name) {
    std::string word;
    const auto fits = [&] {
        return word.starts_with("arg") || word.starts_with("pars") || word == "opts" || word == "options" ||
               word == "flags" || word == "cli" || word == "config";
    };
    for (const char c : name) {
        const bool upper = c >= 'A' && c <= 'Z';
        if ((upper || c == '_') && fits()) return true;
        if (upper || c == '_') word.clear();
        if (c != '_') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return fits();
}

// The names in the brackets behind the name of a function or class.
std::vector<Span> headPieces(const Found& found) {
    const PythonFile& file = *found.file;
    const Span span = found.head().span;
    const std::size_t open = file.find("(", span);
    if (open >= span.end) return {};
    return file.pieces({open + 1, file.token(open).partner});
}

bool isParserClass(const Found& found) {
    const auto bases = headPieces(found);
    return std::any_of(bases.begin(), bases.end(),
                       [&](Span each) { return std::string_view(found.file->text(each)).ends_with("ArgumentParser"); });
}

// A file that makes its parser when it is imported, or defines flags.
bool parsesOnImport(const PythonFile& file) {
    const auto& all = file.statements();
    for (std::size_t at = 0; at < all.size();) {
        const Token& first = file.token(all[at].span.begin);
        const bool guard = first.isName("if") && file.token(all[at].span.begin + 1).isName("__name__");
        if (first.isName("def") || first.isName("class") || first.isName("async") || guard) {
            at = std::max(all[at].after, at + 1);
            continue;
        }
        for (std::size_t token = all[at].span.begin; token < all[at].span.end; ++token) {
            const auto name = file.token(token).text;
            if (file.token(token).kind == TokenKind::Name &&
                (name == "parse_args" || name == "parse_known_args" || name.starts_with("DEFINE_")))
                return true;
        }
        ++at;
    }
    return false;
}

} // namespace

void ParserWalk::imports(const PythonFile& file) {
    std::set<const PythonFile*> modules;
    for (const auto& [name, import] : file.imports()) {
        const auto* imported = m_project.importedModule(file, name);
        if (!imported) imported = m_project.module(file, import.module);
        if (imported && imported != &file) modules.insert(imported);
    }
    for (const auto& star : file.starImports())
        if (const auto* imported = m_project.module(file, star); imported && imported != &file)
            modules.insert(imported);
    std::vector<const PythonFile*> ordered(modules.begin(), modules.end());
    std::sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) { return a->path() < b->path(); });
    for (const auto* each : ordered) {
        if (!parsesOnImport(*each)) continue;
        Scope top{.file = each};
        statements(top, 0, each->statements().size());
    }
}

bool ParserWalk::isGiven(const Scope& scope, const Site& site) const {
    const auto given = site.call.given();
    return std::any_of(given.begin(), given.end(),
                       [&](const Given& each) { return parser(scope, site.file().dotted(each.value)) != nullptr; });
}

std::vector<Found> ParserWalk::basesOf(const Found& ofClass) {
    std::vector<Found> bases;
    for (const Span base : headPieces(ofClass)) {
        if (!spend(kCostOfLookUp)) break;
        const Found above = m_project.find(*ofClass.file, ofClass.file->dotted(base));
        if (above && above.definition->isClass) bases.push_back(above);
    }
    return bases;
}

Found ParserWalk::inherited(const Found& ofClass, std::string_view method, int depth) {
    if (!ofClass || depth > kMostAncestors) return {};
    for (const Found& above : basesOf(ofClass)) {
        if (const auto* found = above.file->method(*above.definition, method)) return {above.file, found};
        if (const Found found = inherited(above, method, depth + 1)) return found;
    }
    return {};
}

Found ParserWalk::callee(const Scope& scope, const Site& site, bool given) {
    const PythonFile& file = site.file();
    if (site.receiver == "self" || site.receiver == "cls") {
        if (!scope.ofClass) return {&file, file.definition(site.method)};
        const auto& [where, ofClass] = scope.ofClass;
        if (const auto* own = where->method(*ofClass, site.method)) return {where, own};
        return inherited(scope.ofClass, site.method, 0);
    }
    if (site.receiver == "?" && given) return inherited(scope.ofClass, site.method, 0); // super().add_arguments(parser)
    if (const Found found = m_project.find(file, site.dotted())) return found;
    if (!given || site.receiver.empty()) return {};
    return {&file, file.definition(site.method)}; // a method of some object
}

void ParserWalk::follow(Scope& scope, const Site& site) {
    if (scope.depth >= kMostCalls) return;
    const bool given = isGiven(scope, site), named = looksLikeParsing(site.method);
    const bool own = isScript(site.file()) || (m_everything && scope.depth < kMostUnnamed);
    if (!given && !named && !own) return;
    const Found found = callee(scope, site, given);
    if (!found) {
        if (given && named && !parser(scope, site.receiver))
            m_book.note(site.place(m_project), site.dotted() + "() may add arguments; it is not of the project");
        return;
    }
    if (found.definition->isClass) {
        if (isParserClass(found)) newParser(scope, site, {.parser = m_book.newParser()});
        if (given || named || isParserClass(found)) followClass(scope, site, found, 0);
        return;
    }
    if (!given && !named && found.file != scope.file && !m_everything) return;
    enter(scope, site, found, bound(scope, site, found));
}

// Its methods, those of its bases first; they share what "self" holds.
void ParserWalk::followClass(Scope& scope, const Site& site, const Found& found, int depth) {
    if (depth > kMostAncestors) return;
    for (const Found& above : basesOf(found)) followClass(scope, site, above, depth + 1);
    Scope object{.file = found.file, .ofClass = found, .depth = scope.depth};
    object.parsers = bound(scope, site, {found.file, found.file->method(*found.definition, "__init__")});
    if (const auto* made = parser(scope, site.target); made && isParserClass(found)) object.parsers["self"] = *made;
    const std::size_t end = found.head().after;
    if (!spend(found.file->definitions().size())) return;
    for (const Definition& each : found.file->definitions())
        if (!each.isClass && each.statement > found.definition->statement && each.statement < end)
            enter(object, {.call = {found.file, 0}}, {found.file, &each}, object.parsers);
}

// Which parameters of the function are parsers.
Parsers ParserWalk::bound(const Scope& scope, const Site& site, const Found& found) const {
    Parsers parsers;
    if (!found || site.call.open == 0) return parsers;
    std::vector<std::string> parameters;
    for (const Span each : headPieces(found)) parameters.emplace_back(found.file->token(each.begin).text);
    const auto given = site.call.given();
    const bool explicitSelf = !given.empty() && site.file().text(given.front().value) == "self";
    if (!parameters.empty() && (parameters[0] == "self" || parameters[0] == "cls") && !explicitSelf)
        parameters.erase(parameters.begin());
    for (std::size_t at = 0; at < given.size(); ++at) {
        const auto* known = parser(scope, site.file().dotted(given[at].value));
        if (!known) continue;
        if (!given[at].keyword.empty()) parsers[std::string(given[at].keyword)] = *known;
        else if (at < parameters.size()) parsers[parameters[at]] = *known;
    }
    return parsers;
}

void ParserWalk::enter(Scope& scope, const Site& site, const Found& found, Parsers parsers) {
    m_reached.insert(found.definition);
    for (const auto& [name, ref] : scope.parsers)
        if (name.starts_with("self.")) parsers.emplace(name, ref);
    std::string key = found.file->path().string() + ":" + std::to_string(found.definition->statement);
    for (const auto& [name, ref] : parsers) key += ";" + name + std::to_string(ref.parser) + ref.group;
    const auto [known, isNew] = m_entered.try_emplace(key);
    if (isNew) {
        Scope inner{
            .file = found.file, .parsers = std::move(parsers), .ofClass = scope.ofClass, .depth = scope.depth + 1};
        statements(inner, found.definition->statement + 1, found.head().after);
        known->second = inner.returned;
        for (const auto& [name, ref] : inner.parsers)
            if (name.starts_with("self.")) set(scope, name, ref);
    }
    if (known->second && !site.target.empty()) set(scope, site.target, *known->second);
}

} // namespace trainyard::program
