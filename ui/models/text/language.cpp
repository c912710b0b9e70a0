// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <algorithm>

static void loadTranslations() { Q_INIT_RESOURCE(translations); } // outside of all namespaces, as Qt asks

namespace trainyard::ui {

namespace {

constexpr Language kLanguages[] = {{"en", "English", "en_US"}, {"de", "Deutsch", "de_DE"}};

QLocale localeOf(const Language& language) {
    const QLocale own(QString::fromLatin1(language.locale));
    const QLocale system(QLocale::system().name()); // what belongs to its name, which single variables may change
    return system.language() == own.language() ? system : own; // of Switzerland, say: with a decimal point
}

} // namespace

std::span<const Language> languages() { return kLanguages; }

const Language& languageFor(const QString& wanted, const QStringList& systemLanguages) {
    QStringList candidates{wanted};
    if (wanted.isEmpty()) candidates = systemLanguages;
    for (const QString& candidate : candidates) {
        const QString code = candidate.section(QLatin1Char('-'), 0, 0).section(QLatin1Char('_'), 0, 0).toLower();
        const auto at = std::ranges::find_if(
            kLanguages, [&code](const Language& each) { return code == QLatin1String(each.code); });
        if (at != std::end(kLanguages)) return *at;
    }
    return kLanguages[0];
}

Translations::Translations(const Language& language) {
    loadTranslations();
    const QLatin1String code(language.code);
    add(QLibraryInfo::path(QLibraryInfo::TranslationsPath) + QStringLiteral("/qtbase_%1.qm").arg(code));
    add(QStringLiteral(":/trainyard/translations/trainyard_%1.qm").arg(code));
    QLocale::setDefault(localeOf(language));
}

Translations::~Translations() {
    for (const auto& translator : m_translators) QCoreApplication::removeTranslator(translator.get());
}

void Translations::add(const QString& file) {
    auto translator = std::make_unique<QTranslator>();
    if (!translator->load(file)) return; // of Qt: not every system has them
    QCoreApplication::installTranslator(translator.get());
    m_translators.push_back(std::move(translator));
}

} // namespace trainyard::ui
