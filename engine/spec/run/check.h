// SPDX-License-Identifier: GPL-3.0-or-later
// Small checks shared by the validation of run and sweep files. Only for engine/spec.
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/values/json_tree.h"

#include <initializer_list>

namespace trainyard::spec {

class Checker {
public:
    // `isProgram`: of the run of a program, which names its series as it likes.
    explicit Checker(Errors& errors, bool isProgram = false) : m_errors(errors), m_isProgram(isProgram) {}

    void fail(const std::string& path, const std::string& value, std::string message, std::string remedy = {},
              ErrorCode code = ErrorCode::FieldInvalid);
    void range(const std::string& path, std::int64_t value, std::int64_t min, std::int64_t max);
    void range(const std::string& path, double value, double min, double max);
    void word(const std::string& path, const std::string& value, const std::vector<std::string>& words);
    // A name that people see: at most 100 characters, without path separators or characters that cannot be printed.
    void name(const std::string& path, const std::string& value);
    void host(const std::string& path, const std::string& value);
    // A series name such as val/loss; a slip of a known one is pointed out. That of a program is any line of text.
    void series(const std::string& path, const std::string& value);
    bool failed(const std::string& path) const; // something was reported for this path already

private:
    Errors& m_errors;
    bool m_isProgram;
};

// The run file's "model.weights" and "finetune": what cannot be with what (validate_finetune.cpp).
void checkFinetune(const RunSpec& spec, Checker& check);

std::string inQuotes(const std::string& text); // printable, in quotes
std::string numberText(double number);         // as the run file would print it
std::string joined(const std::vector<std::string>& words);
// What to write instead of a text where a number, or true or false, is wanted; empty for other types.
std::string insteadOfText(const std::string& text, ParamType wanted);

} // namespace trainyard::spec
