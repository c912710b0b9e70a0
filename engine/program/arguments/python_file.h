// SPDX-License-Identifier: GPL-3.0-or-later
// A source file of Python as statements, definitions and imports; nothing of it is run.
#pragma once

#include "engine/program/arguments/python_tokens.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// Tokens from begin on, before end.
struct Span {
    std::size_t begin = 0, end = 0;

    bool empty() const { return begin >= end; }
    std::size_t size() const { return empty() ? 0 : end - begin; }
};

// A logical line, or a part of one between ";".
struct Statement {
    Span span{}; // without the end of its line
    std::uint32_t indent = 0;
    std::size_t after = 0; // the statement behind this one and its block
};

// A function or a class.
struct Definition {
    std::string_view name;
    bool isClass = false;
    std::size_t statement = 0; // its "def" or "class"
    std::uint32_t indent = 0;
};

// What an imported name means.
struct Import {
    std::string module; // with the dots before it
    std::string name;   // empty: the module itself
};

// One of "a, b=c": of keywords the name is set.
struct Given {
    std::string_view keyword{};
    Span value{};
    bool spread = false; // *a, **b
};

// A file that is read; its tokens, statements and names.
class PythonFile {
public:
    // Input, with line and remedy: as of tokensOf().
    static Result<PythonFile> parse(std::filesystem::path path, std::string source);
    PythonFile(PythonFile&&) = default; // not copied: the tokens point into the source
    PythonFile& operator=(PythonFile&&) = default;

    const std::filesystem::path& path() const { return m_path; }
    std::size_t bytes() const { return m_source->size(); }
    const Token& token(std::size_t index) const { return m_tokens[index]; }
    std::size_t tokenCount() const { return m_tokens.size(); }
    const std::vector<Statement>& statements() const { return m_statements; }
    const std::vector<Definition>& definitions() const { return m_definitions; }
    const std::map<std::string, Import, std::less<>>& imports() const { return m_imports; }
    const std::vector<std::string>& starImports() const { return m_stars; }

    // The outermost definition of that name, or nothing.
    const Definition* definition(std::string_view name) const;
    // The function of that name directly in the class.
    const Definition* method(const Definition& ofClass, std::string_view name) const;
    // What the name is set to, if that happens once, at the top of the file.
    std::optional<Span> constant(std::string_view name) const;

    // The pieces between commas, brackets left whole.
    std::vector<Span> pieces(Span span) const;
    // What stands in the brackets that open at `open`.
    std::vector<Given> given(std::size_t open) const;
    // As it stands in the source, on one line, at most 200 characters of it.
    std::string text(Span span) const;
    // The name that ends before `end`: "a.b.c", where it begins. Empty: a name after something else, as in "f().c".
    std::string dottedBefore(std::size_t end, std::size_t& begin) const;
    // The span is such a name, whole; else empty.
    std::string dotted(Span span) const;
    // In the span, outside brackets; else the end of the span.
    std::size_t find(std::string_view sign, Span span) const;

private:
    PythonFile() = default;
    void readStatements();
    void readDefinitions();
    void readNames(const Statement& statement);
    void readFrom(Span span);
    void readImport(Span span);

    std::filesystem::path m_path{};
    std::unique_ptr<std::string> m_source{};
    std::vector<Token> m_tokens{};
    std::vector<Statement> m_statements{};
    std::vector<Definition> m_definitions{};
    std::map<std::string_view, std::size_t> m_byName{};
    std::map<std::string, Import, std::less<>> m_imports{};
    std::vector<std::string> m_stars{};
    std::map<std::string_view, Span> m_constants{}; // an empty span: set more than once
};

} // namespace trainyard::program
