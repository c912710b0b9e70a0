// SPDX-License-Identifier: GPL-3.0-or-later
// English texts of the engine that the window says in its language. Engine::tr() marks them where they stand.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

// resources/translations/update.sh has lupdate read it as Q_DECLARE_TR_FUNCTIONS, as the engine knows no Qt.
#define TY_TR_CONTEXT(context) static_assert(true)

namespace trainyard {

// A sentence as its format and what stands in it, so that it is put together once and translated by its format. In the
// format, %1 to %9 are the arguments and %n is the count.
struct Sentence {
    Sentence() = default;
    Sentence(const char* english, std::vector<Sentence> its = {}) : format(english), arguments(std::move(its)) {}
    Sentence(std::string text) : plain(std::move(text)) {} // the same in every language

    using Translate = std::function<std::string(const Sentence&)>; // its format in a language
    std::string text(const Translate& translate) const;
    std::string text() const; // in English
    bool empty() const { return format == nullptr && plain.empty(); }

    const char* format = nullptr;
    std::vector<Sentence> arguments{};
    const char* one = nullptr; // the format in English where the count is 1
    int count = -1;
    std::string plain{}; // without a format
};

// Marks a text for lupdate, which finds a call of tr() by its name.
struct Engine {
    TY_TR_CONTEXT(Engine);
    static constexpr const char* tr(const char* text) { return text; }
    // "%n slots", "%n slot", 3: the third argument tells lupdate that a translation has a form for each number.
    static Sentence tr(const char* many, const char* one, int count, std::vector<Sentence> arguments = {});
};

} // namespace trainyard
