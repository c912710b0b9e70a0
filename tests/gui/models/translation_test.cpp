// SPDX-License-Identifier: GPL-3.0-or-later
// The files of translations against the code: nothing is missing, nothing is left over, and placeholders are kept.
#include "engine/spec/run/sections.h"
#include "engine/spec/sweep/sweep_sections.h"
#include "engine/sweep/schedule/schedulers.h"
#include "engine/sweep/search/searchers.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/models/text/engine_sentences.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/language.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLibraryInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace trainyard;
using namespace trainyard::ui;

namespace {

const QString kSource = QStringLiteral(TRAINYARD_SOURCE_DIR "/");

struct Message {
    QString context, source, state; // state: of the translation, such as "unfinished" or "vanished"
    bool numerus = false;
    QStringList forms;

    QString key() const { return context + QLatin1Char('|') + source + (numerus ? QStringLiteral("|n") : QString()); }
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
                {context, {}, {}, xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes"), {}});
        else if (name == QLatin1String("source")) all.back().source = xml.readElementText();
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

QString lupdateProgram() {
    return QStandardPaths::findExecutable(QStringLiteral("lupdate"),
                                          {QLibraryInfo::path(QLibraryInfo::BinariesPath),
                                           QStringLiteral("/usr/lib/qt6/bin"), QStringLiteral("/usr/bin")});
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
    static const QRegularExpression call(
        QStringLiteral("(?:set(?:Doing|Collective)\\(|setStep\\([^,]+, |set\\(wire::[^\"]*|m_doing\\{)\"([^\"]+)\""));
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

} // namespace

class TranslationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
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
        }
    }

    void filesHoldTheTextsOfTheCode_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("German") << QStringLiteral("de") << QStringList();
        QTest::newRow("English plurals") << QStringLiteral("en") << QStringList{QStringLiteral("-pluralonly")};
    }

    // lupdate on a copy adds what is missing and marks what is left over.
    void filesHoldTheTextsOfTheCode() {
        QFETCH(QString, code);
        QFETCH(QStringList, options);
        const QString program = lupdateProgram();
        if (program.isEmpty()) QSKIP("lupdate is not installed (qt6-l10n-tools)");
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("copy.ts"));
        QVERIFY(QFile::copy(fileOf(code), copy));
        QStringList arguments{QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"),
                              QStringLiteral("-I"),      QStringLiteral("."),          QStringLiteral("-extensions"),
                              QStringLiteral("cpp,h")};
        arguments << options << QStringLiteral("app");
        for (const QString& part : QDir(kSource + QStringLiteral("ui")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (part != QLatin1String("gallery")) arguments << QStringLiteral("ui/") + part;
        QProcess update;
        update.setWorkingDirectory(kSource);
        update.start(program, arguments << QStringLiteral("-ts") << copy);
        QVERIFY2(update.waitForFinished(60000) && update.exitCode() == 0, update.readAllStandardError().constData());
        QStringList missing, left;
        for (const Message& each : messagesOf(copy)) {
            if (each.state == QLatin1String("unfinished")) missing << each.key();
            if (each.state == QLatin1String("vanished") || each.state == QLatin1String("obsolete")) left << each.key();
        }
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("without a translation:\n") + missing.join('\n')));
        QVERIFY2(left.isEmpty(), qPrintable(QStringLiteral("no longer in the code:\n") + left.join('\n')));
    }

    void engineTextsAreThoseOfItsTables() {
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
        // Why `auto` takes a searcher; the other reasons hold numbers and names.
        spec::SweepSpec sweep;
        sweep.space = {{.path = "optimizer.lr", .values = {0.1, 0.2}}};
        wanted << QString::fromStdString(sweep::chooseSearcher(sweep).reason);
        wanted << QStringLiteral("no more than 20 axes and 500 trials");
        wanted.removeAll(QString());
        QStringList listed;
        for (const char* text : engineTexts()) listed << QString::fromUtf8(text);
        QStringList missing;
        for (const QString& each : std::as_const(wanted))
            if (!listed.contains(each) && !missing.contains(each)) missing << each;
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
        if (!catalog) QSKIP("without trainyard-worker its catalog is not compared");
        QStringList left;
        for (const QString& each : std::as_const(listed))
            if (!wanted.contains(each)) left << each;
        QVERIFY2(left.isEmpty(), qPrintable(left.join('\n')));
    }

    void englishSentencesAreTheEngines() {
        const Translations english(languages().front());
        using Verb = sweep::Steering::Verb;
        for (const auto& [verb, word] : sweep::kVerbs)
            for (const int count : {1, 2}) {
                const sweep::Steering asked{.verb = verb,
                                            .trial = 3,
                                            .count = count,
                                            .params = {{"optimizer.lr", 0.1}, {"model.name", std::string("mlp")}},
                                            .restriction = *spec::parseRestriction("optimizer.lr=0.001..0.1"),
                                            .parallel = verb == Verb::Set ? std::optional(count - 1) : std::nullopt,
                                            .trials = count};
                QCOMPARE(steeringText(asked), QString::fromStdString(sweep::describe(asked)));
            }
        using queue::Wait;
        for (const Wait wait : {Wait::None, Wait::Paused, Wait::SlotsFull, Wait::HostBusy, Wait::DeviceBusy,
                                Wait::MemoryBusy, Wait::CoresBusy, Wait::Earlier})
            for (const char* host : {"gpu-1", ""}) {
                queue::QueueEntry entry;
                entry.by = "brave-otter";
                entry.verdict = {.wait = wait, .host = host, .needed = 4, .free = 1};
                QCOMPARE(waitText(entry), QString::fromStdString(queue::describe(entry)));
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
                        QCOMPARE(runEventText(event), QString::fromStdString(store::eventText(event)));
                    }
        for (const std::int64_t most : {0, 5'000'000}) {
            const run::DiskForecast disk{.bytes = 2'000'000, .mostBytes = most, .freeBytes = 41'000'000'000};
            QCOMPARE(checkpointsTakeText(disk), QString::fromStdString(run::diskText(disk)));
        }
        using Why = sweep::SlotCount::Why;
        for (const Why why : {Why::Asked, Why::Hosts, Why::Devices, Why::Cores})
            for (const int count : {1, 2}) {
                const sweep::SlotCount slots{.why = why,
                                             .slots = count,
                                             .cores = count,
                                             .workers = 3 - count,
                                             .threads = count,
                                             .onEach = count,
                                             .devices = 3 - count};
                QCOMPARE(slotsText(slots), QString::fromStdString(sweep::toText(slots)));
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

    void decimalsHaveAPointInEveryLanguage() {
        for (const Language& each : languages()) {
            const Translations translations(each);
            QCOMPARE(QLocale().toString(0.25), QStringLiteral("0.25"));
            QVERIFY(QLocale().toString(41200) != QLatin1String("41.200"));
        }
        QLocale::setDefault(QLocale::c());
    }
};

QTEST_GUILESS_MAIN(TranslationTest)
#include "translation_test.moc"
