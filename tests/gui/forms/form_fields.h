// SPDX-License-Identifier: GPL-3.0-or-later
// The form of the New run sheet in tests: its fields by their names, and sweep files to open in it.
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "ui/forms/fields/lr_field.h"
#include "ui/forms/fields/vary_toggle.h"
#include "ui/forms/run_form.h"
#include "ui/models/new_run/catalog_loader.h"
#include "ui/models/text/language.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QLineEdit>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

namespace trainyard::test {

inline std::string sourceFile(const std::string& path) {
    return *readFile(std::string(TRAINYARD_SOURCE_DIR) + '/' + path, 1u << 20);
}

// A sweep file that RUN_FILE.md shows.
inline std::string documented(int number = 0) {
    const auto text = sourceFile("engine/spec/RUN_FILE.md");
    auto begin = text.find("## Sweep files");
    for (int i = 0; i <= number; ++i) begin = text.find("```json\n", begin) + 8;
    return text.substr(begin, text.find("```", begin) - begin);
}

inline std::string sweepOf(const std::string& space, const std::string& rest = "") {
    return R"({"name": "s", "run": {"model": "mlp", "dataset": "spirals", "epochs": 2, "scaling": {"workers": 1}},
               "space": )" +
           space + rest + "}";
}

inline const char* kTwoFields = R"({"model.params.dropout": [0.1, 0.2], "batch.perRank": [32, 64]})";

inline spec::SweepSpec opened(ui::RunForm& form, const std::string& text) {
    const auto sweep = spec::parseSweepSpec(text);
    if (!sweep) qFatal("%s", sweep.error().text().c_str());
    form.setSpec(*spec::parseRunSpec(sweep->runJson));
    form.setSweep(*sweep);
    return *sweep;
}
template <class Found>
Found* named(QWidget& root, const QString& name) {
    for (auto* each : root.findChildren<Found*>())
        if (each->accessibleName() == name && !each->isHidden()) return each;
    return nullptr;
}
template <class Button>
void press(QWidget& root, const QString& words) {
    for (auto* each : root.findChildren<Button*>())
        if ((each->text() == words || each->accessibleName() == words) && !each->isHidden()) return each->click();
    QFAIL(qPrintable(words));
}
inline void type(QWidget& root, const QString& name, const QString& typed) {
    auto* line = named<QLineEdit>(root, name);
    QVERIFY2(line, qPrintable(name));
    line->selectAll();
    typed.isEmpty() ? QTest::keyClick(line, Qt::Key_Delete) : QTest::keyClicks(line, typed);
}
inline QString words(ui::RunForm& form) {
    QStringList all;
    for (auto* label : form.findChild<ui::SweepFields*>()->findChildren<QLabel*>())
        if (label->isVisibleTo(&form)) all << label->text();
    return all.join(QLatin1Char('|'));
}

inline QString text(QWidget& root, const char* name) {
    auto* line = named<QLineEdit>(root, QString::fromLatin1(name));
    return line ? line->text() : QStringLiteral("no such field");
}
inline ui::VaryToggle* vary(QWidget& root, const QString& title) {
    return named<ui::VaryToggle>(root, QStringLiteral("Vary %1").arg(title));
}
// Every error that stands below a field.
inline QString errorsAtFields(QWidget& form) {
    QStringList all;
    for (auto* label : form.findChildren<ui::Label*>())
        if (label->role() == ui::TextRole::SmallError && !label->isHidden()) all << label->text();
    return all.join(QLatin1Char('|'));
}

// What the worker beside this program offers; nothing without one.
inline std::optional<spec::Catalog> workersCatalog() {
    const auto worker = ui::CatalogLoader::workerProgram();
    if (!std::filesystem::exists(worker)) return {};
    QProcess describe;
    describe.start(QString::fromStdString(worker.string()), {QStringLiteral("describe")});
    if (!describe.waitForFinished(30000)) return {};
    const auto catalog = spec::catalogFromJson(describe.readAllStandardOutput().toStdString());
    if (!catalog) qFatal("%s", catalog.error().text().c_str());
    return *catalog;
}

// Runs a test of the window with settings of its own.
inline int runInWindow(QObject& test, int argc, char** argv, const QString& name) {
    QApplication::setApplicationName(name);
    QApplication::setOrganizationName(name);
    const QTemporaryDir config;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, config.path());
    const ui::Translations english(ui::languages().front());
    ui::ThemeController::instance().install(*qApp);
    return QTest::qExec(&test, argc, argv);
}

} // namespace trainyard::test
