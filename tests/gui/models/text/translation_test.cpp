// SPDX-License-Identifier: GPL-3.0-or-later
// The files of translations against the code: nothing is missing, nothing is left over, and placeholders are kept.
#include "engine/queue/run_queue.h"
#include "engine/run/record/disk_forecast.h"
#include "engine/spec/run/sections.h"
#include "engine/spec/sweep/sweep_sections.h"
#include "engine/store/run_events.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/search/searchers.h"
#include "engine/sweep/values/steering.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/models/text/language.h"

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

const QString kSource = QStringLiteral(TRAINYARD_SOURCE_DIR "/");

struct Message {
    QString context, source, comment; // comment: of a counted one of the engine its singular
    QString state;                    // of the translation, such as "unfinished"
    bool numerus = false;
    QStringList forms;

    QString key() const {
        return QStringList{context, source, comment, numerus ? QStringLiteral("n") : QString()}.join(QLatin1Char('|'));
    }
};

QString fileOf(const QString& code) {
    return kSource + QStringLiteral("resources/translations/trainyard_%1.ts").arg(code);
}

std::vector<Message> messagesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
    QXmlStreamReader xml(&file);
    std::vector<Message> all;
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        const auto name = xml.name();
        if (name == QLatin1String("name")) context = xml.readElementText();
        else if (name == QLatin1String("message"))
            all.push_back(
                {context, {}, {}, {}, xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes"), {}});
        else if (name == QLatin1String("source")) all.back().source = xml.readElementText();
        else if (name == QLatin1String("comment")) all.back().comment = xml.readElementText();
        else if (name == QLatin1String("translation")) {
            all.back().state = xml.attributes().value(QLatin1String("type")).toString();
            if (!all.back().numerus) all.back().forms << xml.readElementText();
        } else if (name == QLatin1String("numerusform")) all.back().forms << xml.readElementText();
    }
    if (xml.hasError()) qFatal("%s: %s", qPrintable(path), qPrintable(xml.errorString()));
    return all;
}

QStringList found(const QString& text, const char* pattern) {
    QStringList all;
    auto matches = QRegularExpression(QLatin1String(pattern)).globalMatch(text);
    while (matches.hasNext()) all << matches.next().captured();
    all.sort();
    return all;
}

// What a translation must keep: placeholders, tags, lines, an ellipsis, blanks at both ends, and no new mnemonic.
QString broken(const QString& source, const QString& text) {
    if (text.trimmed().isEmpty()) return QStringLiteral("is empty");
    if (found(source, "%L?(\\d|n)") != found(text, "%L?(\\d|n)")) return QStringLiteral("has other placeholders");
    if (found(source, "</?[a-z]+>") != found(text, "</?[a-z]+>")) return QStringLiteral("has other tags");
    if (source.count(QLatin1Char('\n')) != text.count(QLatin1Char('\n'))) return QStringLiteral("has other lines");
    if (source.count(QLatin1Char('&')) != text.count(QLatin1Char('&'))) return QStringLiteral("has another &");
    if (source.endsWith(QChar(0x2026)) != text.endsWith(QChar(0x2026))) return QStringLiteral("has another ellipsis");
    if (text.contains(QLatin1String("..."))) return QStringLiteral("has dots for an ellipsis");
    if (source.startsWith(QLatin1Char(' ')) != text.startsWith(QLatin1Char(' ')) ||
        source.endsWith(QLatin1Char(' ')) != text.endsWith(QLatin1Char(' ')))
        return QStringLiteral("has other blanks at an end");
    if (text.contains(QChar(0x201D))) return QStringLiteral("has English quotes");
    return {};
}

QSet<QString> keysOf(const QString& path) {
    QSet<QString> keys;
    for (const Message& each : messagesOf(path)) keys << each.key();
    return keys;
}

QStringList engineTextsOf(const std::vector<spec::ParamInfo>& params) {
    QStringList all;
    for (const auto& info : params)
        for (const std::string* text : {&info.title, &info.help, &info.unit}) all << QString::fromStdString(*text);
    return all;
}

QStringList engineTextsOf(const spec::Entry& entry) {
    QStringList all{QString::fromStdString(entry.title), QString::fromStdString(entry.help)};
    all << engineTextsOf(entry.params);
    for (const auto& fact : entry.facts)
        if (fact.first != "task") all << QString::fromStdString(fact.first);
    for (const auto& task : entry.tasks) all << QString::fromStdString(task);
    return all;
}

// What ranks say that they do, from the calls that set it.
QStringList activitiesOfRanks() {
    static const QRegularExpression call(QStringLiteral(
        "(?:set(?:Doing|Collective)\\(|setStep\\([^,]+, |set\\(wire::[^\"]*|m_doing\\{|evaluated\\([^\"]*)"
        "\\s*(?:Engine::tr\\()?\"([^\"]+)\""));
    QStringList all;
    QDirIterator files(kSource + QStringLiteral("engine/torch"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                       QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        auto matches = call.globalMatch(QString::fromUtf8(file.readAll()));
        while (matches.hasNext()) all << matches.next().captured(1);
    }
    return all;
}

// Every sentence of the engine that the window says, with one and with several of what it counts.
std::vector<Sentence> sentences() {
    std::vector<Sentence> all;
    using Verb = sweep::Steering::Verb;
    for (const auto& [verb, word] : sweep::kVerbs)
        for (const int count : {1, 2})
            all.push_back(
                describe(sweep::Steering{.verb = verb,
                                         .trial = 3,
                                         .count = count,
                                         .params = {{"optimizer.lr", 0.1}, {"model.name", std::string("mlp")}},
                                         .restriction = *spec::parseRestriction("optimizer.lr=0.001..0.1"),
                                         .parallel = verb == Verb::Set ? std::optional(count - 1) : std::nullopt,
                                         .trials = count}));
    using queue::Wait;
    for (const Wait wait : {Wait::None, Wait::Paused, Wait::SlotsFull, Wait::HostBusy, Wait::DeviceBusy,
                            Wait::MemoryBusy, Wait::CoresBusy, Wait::Earlier})
        for (const char* host : {"gpu-1", ""}) {
            queue::QueueEntry entry;
            entry.by = "brave-otter";
            entry.verdict = {.wait = wait, .host = host, .needed = 4, .free = 1};
            all.push_back(describe(entry));
        }
    using Kind = store::RunEventKind;
    for (const Kind kind : {Kind::Started, Kind::Resumed, Kind::Restarted, Kind::Replaced, Kind::Workers,
                            Kind::LearningRate, Kind::RolledBack, Kind::Unknown})
        for (const std::string reason : {"", "was asked to"})
            for (const double after : {store::RunEventRow::kNone, 1.0, 2.0})
                for (const double before : {store::RunEventRow::kNone, 0.05}) {
                    store::RunEventRow event{.kind = kind, .step = 40, .before = before, .after = after};
                    event.rank = 1;
                    event.reason = reason;
                    all.push_back(describe(event));
                }
    for (const std::int64_t most : {0, 5'000'000})
        all.push_back(describe(run::DiskForecast{.bytes = 2'000'000, .mostBytes = most, .freeBytes = 41'000'000'000}));
    using Why = sweep::SlotCount::Why;
    for (const Why why : {Why::Asked, Why::Hosts, Why::Devices, Why::Cores})
        for (const int count : {1, 2})
            all.push_back(describe(sweep::SlotCount{.why = why,
                                                    .slots = count,
                                                    .cores = count,
                                                    .workers = 3 - count,
                                                    .threads = count,
                                                    .onEach = count,
                                                    .devices = 3 - count}));
    // Why `auto` takes a searcher: a grid, few, many trials, a condition.
    spec::SweepSpec sweep;
    sweep.space = {{.path = "optimizer.lr", .values = {0.1, 0.2}}};
    all.push_back(sweep::chooseSearcher(sweep).reason);
    sweep.space = {{.path = "optimizer.lr", .from = 0.1, .to = 1}};
    for (sweep.trials = 500; sweep.trials < 502; ++sweep.trials) all.push_back(sweep::chooseSearcher(sweep).reason);
    sweep.space[0].when.push_back({"model.name", {std::string("mlp")}});
    all.push_back(sweep::chooseSearcher(sweep).reason);
    return all;
}

} // namespace

class TranslationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Feature: the window in German: every text of the code is translated with its placeholders, no page shows English
    // or cuts off what is longer; the language of the system or of the setting; plurals; numbers. Also in
    // german_window_test.
    void everyTextIsTranslated() {
        const auto all = messagesOf(fileOf(QStringLiteral("de")));
        QVERIFY(all.size() > 1500);
        for (const Message& each : all) {
            QVERIFY2(each.state.isEmpty(), qPrintable(each.key() + QStringLiteral(" is ") + each.state));
            QCOMPARE(each.forms.size(), each.numerus ? 2 : 1);
            for (const QString& form : each.forms) {
                const QString why = broken(each.source, form);
                QVERIFY2(why.isEmpty(), qPrintable(each.key() + QStringLiteral(": “") + form + "” " + why));
            }
        }
    }

    void englishHasItsSingulars() {
        const auto all = messagesOf(fileOf(QStringLiteral("en")));
        QVERIFY(all.size() > 50);
        for (const Message& each : all) {
            QVERIFY2(each.numerus && each.state.isEmpty(), qPrintable(each.key()));
            QCOMPARE(each.forms.size(), 2);
            QVERIFY2(broken(each.source, each.forms[0]).isEmpty(), qPrintable(each.forms[0]));
            QCOMPARE(each.forms[1], each.source);
            if (!each.comment.isEmpty()) QCOMPARE(each.forms[0], each.comment);
        }
    }

    void filesHoldTheTextsOfTheCode_data() {
        QTest::addColumn<QString>("code");
        QTest::newRow("German") << QStringLiteral("de");
        QTest::newRow("English plurals") << QStringLiteral("en");
    }

    // An update of a copy adds what is missing and drops what is left over.
    void filesHoldTheTextsOfTheCode() {
        QFETCH(QString, code);
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("trainyard_%1.ts").arg(code));
        QVERIFY(QFile::copy(fileOf(code), copy));
        QProcess update;
        update.start(kSource + QStringLiteral("resources/translations/update.sh"), {folder.path()});
        QVERIFY(update.waitForFinished(60000));
        if (update.exitCode() == 3) QSKIP("lupdate is not installed (qt6-l10n-tools)");
        const QString said = QString::fromUtf8(update.readAllStandardError());
        QVERIFY2(update.exitCode() == 0 && said.isEmpty(), qPrintable(said));
        const auto here = keysOf(fileOf(code)), inCode = keysOf(copy);
        const QStringList missing = (inCode - here).values(), left = (here - inCode).values();
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("without a translation:\n") + missing.join('\n')));
        QVERIFY2(left.isEmpty(), qPrintable(QStringLiteral("no longer in the code:\n") + left.join('\n')));
    }

    void everyTextOfTheEnginesTablesIsGerman() {
        QStringList wanted;
        for (const auto* sections : {&spec::runSections(), &spec::sweepSections()})
            for (const spec::Section& each : *sections) {
                wanted << QString::fromStdString(each.title) << QString::fromStdString(each.help);
                wanted << engineTextsOf(each.params);
            }
        for (const auto& each : sweep::searchers()) wanted << engineTextsOf(each.info);
        for (const auto& each : sweep::schedulers()) wanted << engineTextsOf(each.info);
        const auto catalog = test::workersCatalog();
        if (catalog)
            for (const auto* entries :
                 {&catalog->models, &catalog->datasets, &catalog->optimizers, &catalog->schedules, &catalog->losses})
                for (const auto& each : *entries) wanted << engineTextsOf(each);
        for (const auto status : {wire::RankStatus::Starting, wire::RankStatus::Running, wire::RankStatus::Finished,
                                  wire::RankStatus::Failed, wire::RankStatus::Lost})
            wanted << QString::fromLatin1(toString(status));
        wanted << activitiesOfRanks();
        wanted.removeAll(QString());
        wanted.removeDuplicates();
        QVERIFY(wanted.size() > (catalog ? 500 : 200));
        QHash<QString, QString> german;
        for (const Message& each : messagesOf(fileOf(QStringLiteral("de"))))
            if (each.context == QLatin1String("Engine") && !each.numerus) german[each.source] = each.forms.value(0);
        const Translations translations(languageFor(QStringLiteral("de"), {}));
        QStringList missing;
        for (const QString& each : std::as_const(wanted))
            if (!german.contains(each) || engineText(each.toStdString()) != german[each]) missing << each;
        QLocale::setDefault(QLocale::c());
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("not marked with Engine::tr():\n") + missing.join('\n')));
        if (!catalog) QSKIP("without trainyard-worker its catalog is not compared");
    }

    void sentencesAreSaidInBothLanguages() {
        const auto all = sentences();
        std::vector<QString> german;
        {
            const Translations translations(languageFor(QStringLiteral("de"), {}));
            for (const Sentence& each : all) german.push_back(engineSentence(each));
        }
        const Translations translations(languages().front());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const QString english = QString::fromStdString(all[i].text());
            QCOMPARE(engineSentence(all[i]), english);
            QVERIFY2(!english.isEmpty() && !english.contains(QLatin1Char('%')), qPrintable(english));
            QVERIFY2(german[i] != english && !german[i].contains(QLatin1Char('%')), qPrintable(german[i]));
        }
        QLocale::setDefault(QLocale::c());
    }

    void languageIsTheSettingsElseTheSystems_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QStringList>("system");
        QTest::addColumn<QString>("code");
        const QStringList german{QStringLiteral("de-AT"), QStringLiteral("de-Latn-AT"), QStringLiteral("de")};
        const QStringList french{QStringLiteral("fr-FR"), QStringLiteral("fr")};
        QTest::newRow("the system's") << QString() << german << "de";
        QTest::newRow("a system's second language") << QString() << french + german << "de";
        QTest::newRow("none that there is") << QString() << french << "en";
        QTest::newRow("C") << QString() << QStringList{QStringLiteral("C")} << "en";
        QTest::newRow("asked for") << "de" << french << "de";
        QTest::newRow("English on a German system") << "en" << german << "en";
        QTest::newRow("an unknown one is saved") << "xx" << german << "en";
    }

    void languageIsTheSettingsElseTheSystems() {
        QFETCH(QString, wanted);
        QFETCH(QStringList, system);
        QTEST(QString::fromLatin1(languageFor(wanted, system).code), "code");
    }

    void numbersAreCountedInEveryLanguage_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("n");
        QTest::addColumn<QString>("text");
        QTest::newRow("one") << "en" << 1 << "1 run archived";
        QTest::newRow("two") << "en" << 2 << "2 runs archived";
        QTest::newRow("ein") << "de" << 1 << QStringLiteral("1 Lauf archiviert");
        QTest::newRow("zwei") << "de" << 2 << QStringLiteral("2 Läufe archiviert");
    }

    void numbersAreCountedInEveryLanguage() {
        QFETCH(QString, code);
        QFETCH(int, n);
        const Translations translations(languageFor(code, {}));
        QTEST(QCoreApplication::translate("trainyard::ui::RunActions", "%n runs archived", nullptr, n), "text");
    }

    void numbersHaveTheSignsOfTheLanguage_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("texts");
        QTest::newRow("English") << "en"
                                 << QStringList{
                                        "0.9438",  "12.70", "41,200",       "20.6k",         "3.1e-05",
                                        "42.7 MB", "0.001", "[0.9, 0.999]", "lr 0.03, adam", "10.0.0.1 v1.2 run-0.5"};
        QTest::newRow("German") << "de"
                                << QStringList{
                                       "0,9438",  "12,70", "41.200",       "20,6k",         "3,1e-05",
                                       "42,7 MB", "0,001", "[0,9, 0,999]", "lr 0,03, adam", "10.0.0.1 v1.2 run-0.5"};
    }

    // Feature: numbers in the window have the signs of its language; fields and filters take a decimal comma in each.
    // Also in run_filter_test, run_form_test.
    void numbersHaveTheSignsOfTheLanguage() {
        QFETCH(QString, code);
        const Translations translations(languageFor(code, {}));
        QTEST((QStringList{metricText(0.9438), metricText(12.7), countText(41200), metricText(20600),
                           metricText(0.000031), bytesText(42.7e6), exactText(0.001), localText("[0.9, 0.999]"),
                           localText("lr 0.03, adam"), localText("10.0.0.1 v1.2 run-0.5")}),
              "texts");
        QCOMPARE(csvNumber(0.001), QStringLiteral("0.001")); // files have a point
        QLocale::setDefault(QLocale::c());
    }

    void numbersAreReadAsPeopleWriteThem_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("english"); // as in run files; unchanged: it is refused, or has a point already
        QTest::addColumn<QString>("german");
        QTest::newRow("a point") << "0.05" << "0.05" << "0.05";
        QTest::newRow("a comma") << "0,05" << "0.05" << "0.05";
        QTest::newRow("blanks around it") << " 0,05 " << "0.05" << "0.05";
        QTest::newRow("an exponent") << "1,5e-3" << "1.5e-3" << "1.5e-3";
        QTest::newRow("below zero") << "-,5" << "-.5" << "-.5";
        QTest::newRow("German thousands") << "1.234,5" << "1234.5" << "1234.5";
        QTest::newRow("English thousands") << "1,234.5" << "1234.5" << "1234.5";
        QTest::newRow("thousand or one") << "1,234" << "1,234" << "1.234";
        QTest::newRow("three decimals of nothing") << "0,125" << "0.125" << "0.125";
        QTest::newRow("groups of two") << "12,34,5" << "12,34,5" << "12,34,5";
        QTest::newRow("no number") << "a,b" << "a,b" << "a,b";
    }

    void numbersAreReadAsPeopleWriteThem() {
        QFETCH(QString, typed);
        for (const char* code : {"english", "german"}) {
            const Translations translations(languageFor(QString::fromLatin1(code).left(2) == "en" ? "en" : "de", {}));
            QTEST(plainNumber(typed), code);
        }
        QLocale::setDefault(QLocale::c());
    }

    void wholeNumbersMayHaveGroups_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("plain");
        QTest::newRow("plain") << "60000" << "60000";
        QTest::newRow("German") << "60.000" << "60000";
        QTest::newRow("English") << "1,060,000" << "1060000";
        QTest::newRow("Swiss") << QStringLiteral("60’000") << "60000";
        QTest::newRow("a blank") << "60 000" << "60000";
        QTest::newRow("no groups of three") << "60,00" << "60,00";
        QTest::newRow("two signs") << "1.060,000" << "1.060,000";
    }

    void wholeNumbersMayHaveGroups() {
        QFETCH(QString, typed);
        QTEST(plainWhole(typed), "plain");
    }

    void seriesHaveNamesInWords_data() {
        QTest::addColumn<QString>("series");
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("german");
        const auto row = [](const char* series, const char* english, const char* german) {
            QTest::newRow(series) << series << english << QString::fromUtf8(german);
        };
        row("val/accuracy", "Val accuracy", "Val-Genauigkeit");
        row("val_acc", "Val accuracy", "Val-Genauigkeit");
        row("train/loss", "Train loss", "Train-Loss");
        row("validation/loss", "Val loss", "Val-Loss");
        row("samples_per_s", "Samples/s", "Samples/s");
        row("lr", "Learning rate", "Lernrate");
        row("val/balancedAccuracy", "Val balanced accuracy", "Val-balancierte Genauigkeit");
        row("val/prAuc", "Val PR-AUC", "Val-PR-AUC");
        row("accuracyLow", "Accuracy, at least", "Genauigkeit, mindestens");
        row("time/comm", "Time for communication", "Zeit für Kommunikation");
        row("system/rank0/cpu_percent", "Rank 0: CPU (%)", "Rank 0: CPU (%)");
        row("system/host/localhost/memory_mb", "This computer: memory (MB)", "Dieser Computer: Speicher (MB)");
        row("my/bleu", "my/bleu", "my/bleu"); // a program's own
        row("val/bleu", "val/bleu", "val/bleu");
    }

    // Feature: what a run reached is read first, and its times last.
    void resultsAreReadFirst() {
        QStringList series{QStringLiteral("grad_norm"), QStringLiteral("lr"),       QStringLiteral("my/bleu"),
                           QStringLiteral("time/data"), QStringLiteral("val_loss"), QStringLiteral("train/accuracy")};
        std::stable_sort(series.begin(), series.end(),
                         [](const QString& a, const QString& b) { return seriesPlace(a) < seriesPlace(b); });
        QCOMPARE(series.join(QLatin1Char(' ')),
                 QStringLiteral("val_loss train/accuracy my/bleu grad_norm lr time/data"));
    }

    // Feature: series have names in words, and those of a program's own stay as they are.
    void seriesHaveNamesInWords() {
        QFETCH(QString, series);
        for (const char* code : {"english", "german"}) {
            const Translations translations(languageFor(QString::fromLatin1(code).left(2) == "en" ? "en" : "de", {}));
            QTEST(seriesTitle(series), code);
        }
        QLocale::setDefault(QLocale::c());
    }
};

QTEST_GUILESS_MAIN(TranslationTest)
#include "translation_test.moc"
