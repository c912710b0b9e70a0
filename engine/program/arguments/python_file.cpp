// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/python_file.h"

#include "engine/base/text/printable.h"

#include <algorithm>

namespace trainyard::program {
namespace {

constexpr std::size_t kMostStars = 100; // "from x import *"

} // namespace

Result<PythonFile> PythonFile::parse(std::filesystem::path path, std::string source) {
    PythonFile file;
    file.m_path = std::move(path);
    file.m_source = std::make_unique<std::string>(std::move(source));
    TY_ASSIGN(file.m_tokens, tokensOf(*file.m_source, file.m_path.string()));
    file.readStatements();
    file.readDefinitions();
    for (const Statement& each : file.m_statements) file.readNames(each);
    return file;
}

void PythonFile::readStatements() {
    for (std::size_t at = 0; at < m_tokens.size(); ++at) {
        const std::size_t begin = at;
        while (m_tokens[at].kind != TokenKind::LineEnd) ++at;
        if (at > begin) m_statements.push_back({{begin, at}, m_tokens[begin].column, 0});
    }
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < m_statements.size(); ++at) {
        for (; !open.empty() && m_statements[open.back()].indent >= m_statements[at].indent; open.pop_back())
            m_statements[open.back()].after = at;
        open.push_back(at);
    }
    for (const auto each : open) m_statements[each].after = m_statements.size();
}

void PythonFile::readDefinitions() {
    for (std::size_t at = 0; at < m_statements.size(); ++at) {
        auto [first, end] = m_statements[at].span;
        if (m_tokens[first].isName("async")) ++first;
        const bool isClass = m_tokens[first].isName("class");
        if (!isClass && !m_tokens[first].isName("def")) continue;
        if (first + 1 >= end || m_tokens[first + 1].kind != TokenKind::Name) continue;
        m_definitions.push_back({m_tokens[first + 1].text, isClass, at, m_statements[at].indent});
    }
    for (std::size_t at = 0; at < m_definitions.size(); ++at) {
        const auto [found, isNew] = m_byName.emplace(m_definitions[at].name, at);
        if (!isNew && m_definitions[at].indent < m_definitions[found->second].indent) found->second = at;
    }
}

void PythonFile::readNames(const Statement& statement) {
    const Span span = statement.span;
    const Token& first = m_tokens[span.begin];
    if (first.isName("from")) return readFrom(span);
    if (first.isName("import")) return readImport(span);
    if (statement.indent != 0 || first.kind != TokenKind::Name || span.size() < 3) return;
    if (!m_tokens[span.begin + 1].isSign("=") && !m_tokens[span.begin + 1].isSign(":")) return;
    const std::size_t equals = find("=", span);
    if (equals == span.end) return;
    const auto [found, isNew] = m_constants.emplace(first.text, Span{equals + 1, span.end});
    if (!isNew) found->second = {};
}

void PythonFile::readFrom(Span span) {
    std::string module;
    std::size_t at = span.begin + 1;
    for (; at < span.end && !m_tokens[at].isName("import"); ++at) module += m_tokens[at].text;
    for (++at; at < span.end; ++at) {
        if (m_tokens[at].isSign("*") && std::find(m_stars.begin(), m_stars.end(), module) == m_stars.end() &&
            m_stars.size() < kMostStars)
            m_stars.push_back(module);
        if (m_tokens[at].kind != TokenKind::Name) continue;
        const std::string name(m_tokens[at].text);
        const bool renamed = at + 2 < span.end && m_tokens[at + 1].isName("as");
        if (renamed) at += 2;
        m_imports.emplace(std::string(m_tokens[at].text), Import{module, name});
    }
}

void PythonFile::readImport(Span span) {
    for (const Span piece : pieces({span.begin + 1, span.end})) {
        std::string module;
        std::size_t at = piece.begin;
        for (; at < piece.end && !m_tokens[at].isName("as"); ++at) module += m_tokens[at].text;
        if (at + 1 < piece.end) {
            m_imports.emplace(std::string(m_tokens[at + 1].text), Import{module, {}});
        } else {
            const std::string top = module.substr(0, module.find('.'));
            m_imports.emplace(top, Import{top, {}});
        }
    }
}

const Definition* PythonFile::definition(std::string_view name) const {
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_definitions[found->second];
}

const Definition* PythonFile::method(const Definition& ofClass, std::string_view name) const {
    const std::size_t end = m_statements[ofClass.statement].after;
    const auto first = std::upper_bound(m_definitions.begin(), m_definitions.end(), ofClass.statement,
                                        [](std::size_t at, const Definition& each) { return at < each.statement; });
    for (auto each = first; each != m_definitions.end() && each->statement < end; ++each)
        if (!each->isClass && each->name == name) return &*each;
    return nullptr;
}

std::optional<Span> PythonFile::constant(std::string_view name) const {
    const auto found = m_constants.find(name);
    if (found == m_constants.end() || found->second.empty()) return std::nullopt;
    return found->second;
}

std::size_t PythonFile::find(std::string_view sign, Span span) const {
    for (std::size_t at = span.begin; at < span.end; ++at) {
        if (m_tokens[at].isSign(sign)) return at;
        if (m_tokens[at].opens()) at = m_tokens[at].partner;
    }
    return span.end;
}

std::vector<Span> PythonFile::pieces(Span span) const {
    std::vector<Span> found;
    while (!span.empty()) {
        const std::size_t comma = find(",", span);
        if (comma > span.begin) found.push_back({span.begin, comma});
        span.begin = comma + 1;
    }
    return found;
}

std::vector<Given> PythonFile::given(std::size_t open) const {
    std::vector<Given> found;
    for (const Span piece : pieces({open + 1, m_tokens[open].partner})) {
        const Token& first = m_tokens[piece.begin];
        if (first.isSign("*") || first.isSign("**")) found.push_back({{}, {piece.begin + 1, piece.end}, true});
        else if (first.kind == TokenKind::Name && piece.size() >= 3 && m_tokens[piece.begin + 1].isSign("="))
            found.push_back({first.text, {piece.begin + 2, piece.end}});
        else found.push_back({{}, piece});
    }
    return found;
}

std::string PythonFile::text(Span span) const {
    if (span.empty()) return {};
    constexpr std::size_t kMost = 200;
    const auto from = m_tokens[span.begin].begin, to = m_tokens[span.end - 1].end;
    std::string line;
    for (std::size_t at = from; at < to && line.size() < 2 * kMost; ++at) {
        const char c = (*m_source)[at];
        const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!space) line += c;
        else if (!line.empty() && line.back() != ' ') line += ' ';
    }
    return printable(line, kMost);
}

std::string PythonFile::dottedBefore(std::size_t end, std::size_t& begin) const {
    if (end == 0 || m_tokens[end - 1].kind != TokenKind::Name) return {};
    begin = end - 1;
    while (begin >= 2 && m_tokens[begin - 1].isSign(".") && m_tokens[begin - 2].kind == TokenKind::Name) begin -= 2;
    if (begin >= 1 && m_tokens[begin - 1].isSign(".")) return {};
    std::string name;
    for (std::size_t at = begin; at < end; ++at) name += m_tokens[at].text;
    return name;
}

std::string PythonFile::dotted(Span span) const {
    if (span.empty()) return {};
    std::size_t begin = 0;
    const std::string name = dottedBefore(span.end, begin);
    return begin == span.begin ? name : std::string();
}

} // namespace trainyard::program
