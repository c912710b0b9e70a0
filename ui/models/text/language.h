// SPDX-License-Identifier: GPL-3.0-or-later
// The languages of the window. The terminal program, logs and the engine's errors are English.
#pragma once

#include <QString>
#include <QStringList>

#include <memory>
#include <span>
#include <vector>

class QTranslator;

namespace trainyard::ui {

struct Language {
    const char* code;   // of the files resources/translations/trainyard_CODE.ts and of the setting
    const char* name;   // in the language itself
    const char* locale; // how numbers and dates are written where the system's locale is of another language
};

// All of them; the first is that of the source code.
std::span<const Language> languages();

// Rule: which language the window takes.
// The one with the code `wanted`. Without a code, the first language of the system ("de-AT", "de", "en-GB") that the
// window has, else English.
const Language& languageFor(const QString& wanted, const QStringList& systemLanguages);

// Rule: which languages the window has, and how it writes numbers.
// Translates the application while it lives: the window's texts, plural forms, and Qt's own texts if the system has
// their translation. Also sets the default locale. Made before the first widget. GUI thread.
class Translations {
public:
    explicit Translations(const Language& language);
    ~Translations();
    Translations(const Translations&) = delete;
    Translations& operator=(const Translations&) = delete;

private:
    void add(const QString& file);

    std::vector<std::unique_ptr<QTranslator>> m_translators;
};

} // namespace trainyard::ui
