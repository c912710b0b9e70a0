// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments that are declared as fields of classes, parameters of functions or
// variables.
#pragma once

#include "engine/program/arguments/argument_book.h"
#include "engine/program/arguments/argument_calls.h"

namespace trainyard::program {

// How the names of fields become flags.
struct FieldStyle {
    std::string prefix{};   // "--" and what stands before the name: "--model."
    bool dashes = false;    // learning_rate is --learning-rate
    bool negatable = false; // a bool is --amp and --no-amp, not --amp true
};

// Adds to a book what is declared.
class FieldReader {
public:
    FieldReader(PythonProject& project, ArgumentBook& book) : m_project(project), m_book(book) {}

    // The fields of a dataclass, those of its bases first; a field that is a
    // dataclass itself gives "field." before its own.
    void dataclass(const Found& found, const FieldStyle& style, int depth = 0);
    // The parameters of a function.
    void function(const Found& found, const FieldStyle& style);
    // The variables that are set at the top of the file before the statement, to
    // a number, a truth or a text.
    void variables(const PythonFile& file, std::size_t before);

private:
    void field(const Found& owner, Span span, const FieldStyle& style, int depth);
    void readType(const PythonFile& file, Span span, Argument& argument);
    void readFieldCall(const PythonFile& file, std::size_t open, Argument& argument);
    Value enumValues(const Found& found);
    bool isDataclass(const Found& found);
    Argument named(const PythonFile& file, std::size_t token, const FieldStyle& style);
    void add(Argument argument, const FieldStyle& style);

    PythonProject& m_project;
    ArgumentBook& m_book;
    std::size_t m_classes = 0;
};

} // namespace trainyard::program
