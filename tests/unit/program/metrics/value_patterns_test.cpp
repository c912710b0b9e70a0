// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own patterns for printed lines.
#include "engine/program/metrics/printed_choice.h"
#include "engine/program/metrics/printed_reader.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

using namespace trainyard;
using namespace trainyard::program;

namespace {

// "loss@3=0.5", with the step only where one was found.
QString matchesText(const std::vector<PatternMatch>& matches) {
    QStringList all;
    for (const auto& each : matches) {
        QString text = QString::fromStdString(each.name);
        if (each.step) text += QString("@%1").arg(*each.step);
        if (each.epoch) text += QString("@@%1").arg(*each.epoch);
        all << text + QString("=%1").arg(each.value);
    }
    return all.join(' ');
}

} // namespace

class ValuePatternsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: patterns of a user's own for lines that a program prints.
    void aPatternFindsValues_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const char* pattern, const QByteArray& line, const char* found) {
            QTest::newRow(name) << pattern << line << found;
        };
        row("a value", "loss (?<value>\\S+)", "step 3 loss 0.5", "step 3 loss=0.5");
        row("named by the words before", "= (?<value>\\S+)", "epoch: 3; train loss = 0.5", "train loss=0.5");
        row("nothing before", "^(?<value>\\S+)$", "0.5", "value=0.5");
        row("a name", "(?<name>\\w+)=(?<value>[-.\\de]+)", "a=1 b=-2e3 c=x", "a=1 b=-2000");
        row("a step", "^(?<step>\\d+): (?<name>L)(?<value>\\S+)", "12: L0.5", "L@12=0.5");
        row("an epoch", "(?<epoch>\\d+)/10 (?<name>L)(?<value>\\S+)", "3/10 L0.5", "L@@3=0.5");
        row("one of several groups of a name", "(?<name>a)(?<value>\\d)|(?<name>b)(?<value>\\d)", "b7 a3", "b=7 a=3");
        row("nan and a comma", "loss=(?<value>\\S+)", "loss=nan, acc", "loss=nan");
        row("a plus sign", "x (?<value>\\S+)", "x +3", "x=3");
        row("what is no number", "loss=(?<value>\\S+)", "loss=high", "");
        row("nothing", "loss=(?<value>\\S+)", "", "");
        row("an empty match goes on", "(?<value>\\d?)", "a1b2", "a=1 a1b=2");
        row("bytes", "\\x00(?<name>.)(?<value>\\d)",
            QByteArray("\0\xff"
                       "7",
                       3),
            "\\xff=7");
        row("ignoring case", "(?i)LOSS (?<value>\\S+)", "Loss 2", "Loss=2");
    }
    void aPatternFindsValues() {
        QFETCH(QString, pattern);
        QFETCH(QByteArray, line);
        QFETCH(QString, found);
        auto patterns = ValuePatterns::compile({pattern.toStdString()});
        QVERIFY2(patterns.ok(), patterns.ok() ? "" : patterns.error().text().c_str());
        auto matches = patterns->match({line.constData(), static_cast<std::size_t>(line.size())});
        if (found.startsWith("\\xff")) {
            QCOMPARE(matches.size(), 1u);
            QCOMPARE(matches[0].name, std::string("\xff"));
            return;
        }
        QCOMPARE(matchesText(matches), found);
        for (const auto& each : matches) QVERIFY(each.at + each.size <= static_cast<std::size_t>(line.size()));
    }

    // Bad inputs: patterns of the run file.
    void aBadPatternIsRefused_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QStringList>("why"); // one of them: releases of PCRE2 count differently
        const auto row = [](const char* name, const QString& pattern, const QString& why) {
            QTest::newRow(name) << pattern << why.split('|');
        };
        row("a bracket", "loss (?<value>\\S+", "missing closing parenthesis, at byte 18");
        row("nothing to repeat", "*(?<value>x)", "at byte 1 of \"*(?<value>x)\"|at byte 2 of \"*(?<value>x)\"");
        row("no value", "loss (\\S+)", "has no group named value");
        row("another group", "(?<vlaue>x)(?<value>y)", "has a group named vlaue");
        row("too long", QString("x").repeated(5000), "has 5000 bytes, and may have 4096");
        row("an unknown escape", "\\y(?<value>x)", "at byte");
        row("no name", "+", "\"+\" names no value");
    }
    void aBadPatternIsRefused() {
        QFETCH(QString, pattern);
        QFETCH(QStringList, why);
        const auto patterns = ValuePatterns::compile({"(?<value>x)", pattern.toStdString()});
        QVERIFY(!patterns.ok());
        const QString text = QString::fromStdString(patterns.error().text());
        QVERIFY2(text.startsWith("program.metrics.patterns[1]: "), qPrintable(text));
        const auto isSaid = [&](const QString& each) { return text.contains(each); };
        QVERIFY2(std::ranges::any_of(why, isSaid), qPrintable(text));
        QVERIFY(!patterns.error().remedy.empty());
    }

    // Fault: a pattern would try for ever at a line. It is switched off, with that line, and the others go on.
    void aHostilePatternIsSwitchedOff_data() {
        QTest::addColumn<QString>("pattern");
        QTest::newRow("repetitions within repetitions") << "(?<value>(a+)+)$";
        QTest::newRow("alternatives") << "(?<value>(a|aa)+)$";
        QTest::newRow("recursion") << "(?<value>a(?R)?b?)*$";
        QTest::newRow("its own limit does not raise ours") << "(*LIMIT_MATCH=4000000000)(?<value>(a+)+)$";
    }
    void aHostilePatternIsSwitchedOff() {
        QFETCH(QString, pattern);
        auto patterns = ValuePatterns::compile({pattern.toStdString(), "b(?<value>\\d)"});
        QVERIFY(patterns.ok());
        QElapsedTimer clock;
        clock.start();
        const std::string line = std::string(4000, 'a') + "!b7";
        QCOMPARE(matchesText(patterns->match(line)), QString("b=7"));
        QVERIFY2(clock.elapsed() < 1'000, qPrintable(QString("it took %1 ms").arg(clock.elapsed())));
        const auto faults = patterns->takeFaults();
        QCOMPARE(faults.size(), 1u);
        const QString text = QString::fromStdString(faults[0].text());
        QVERIFY2(text.contains("was switched off: ") && text.contains("at the line \"aaaa") &&
                     text.contains("program.metrics.patterns[0]"),
                 qPrintable(text));
        QCOMPARE(matchesText(patterns->match("b3")), QString("b=3"));
        QVERIFY(patterns->takeFaults().empty());
    }

    void thereIsALimitToPatterns() {
        const auto patterns = ValuePatterns::compile(std::vector<std::string>(65, "(?<value>x)"));
        QVERIFY(!patterns.ok());
        QVERIFY2(patterns.error().text().find("has 65 patterns") != std::string::npos, patterns.error().text().c_str());
    }

    // Feature: a name that somebody takes is a series at once, also of a count; one that is dropped is none.
    void namesAreTakenAndDropped_data() {
        QTest::addColumn<QStringList>("entries");
        QTest::addColumn<QString>("series");
        const auto row = [](const char* name, const QStringList& entries, const char* series) {
            QTest::newRow(name) << entries << series;
        };
        row("none", {}, "loss=0.8@3 val/acc=0.5@3");
        row("a count is taken", {"+tokens"}, "loss=0.8@3 tokens=30@3 val/acc=0.5@3");
        row("what comes once is taken", {"+size"}, "loss=0.8@3 size=7@3 val/acc=0.5@3");
        row("a time with its unit is taken", {"+took"}, "loss=0.8@3 took=0.2@3 val/acc=0.5@3");
        row("a metric is dropped", {"-loss"}, "val/acc=0.5@3");
        row("one of held-out data", {"-val/acc"}, "loss=0.8@3");
        row("both", {"+tokens", "-loss"}, "tokens=30@3 val/acc=0.5@3");
        row("beside an expression", {"-loss", "(?<name>acc)=(?<value>\\S+)"}, "acc=0.5@1");
        row("an expression may begin with a dash", {"- (?<name>nothing) (?<value>x)"}, "loss=0.8@3 val/acc=0.5@3");
        row("a name that does not come", {"+norm", "-norm"}, "loss=0.8@3 val/acc=0.5@3");
    }
    void namesAreTakenAndDropped() {
        QFETCH(QStringList, entries);
        const QTemporaryDir folder;
        const std::string log = folder.filePath("train.log").toStdString();
        std::ofstream(log) << "step 2 loss=0.9 tokens=20 took=0.3s\nval: step 2 acc=0.4\n"
                              "step 3 loss=0.8 tokens=30 took=0.2s\nval: step 3 acc=0.5\nstep 3 size=7\n";
        std::vector<std::string> patterns;
        for (const QString& each : entries) patterns.push_back(each.toStdString());
        const auto test = testPatterns(log, patterns);
        QVERIFY2(test.ok(), test.ok() ? "" : test.error().text().c_str());
        QStringList series;
        for (const auto& each : test->series)
            series
                << QString("%1=%2@%3").arg(QString::fromStdString(each.name)).arg(each.last.value).arg(each.last.step);
        series.sort();
        QTEST(series.join(' '), "series");
    }

    void aChoiceReplacesTheOneBefore() {
        using Entries = std::vector<std::string>;
        const Entries before{"(?<value>x)", "+a", "-b"};
        QCOMPARE(withChoice(before, "a", PrintedChoice::Dropped), (Entries{"(?<value>x)", "-b", "-a"}));
        QCOMPARE(withChoice(before, "b", PrintedChoice::Automatic), (Entries{"(?<value>x)", "+a"}));
        QCOMPARE(withChoice(before, "b", PrintedChoice::Taken), (Entries{"(?<value>x)", "+a", "+b"}));
    }

    // A line in which a pattern finds something is read by it alone; the others by the scanner.
    void aLogShowsWhatPatternsGive() {
        const QTemporaryDir folder;
        const std::string log = folder.filePath("train.log").toStdString();
        std::ofstream(log) << "run 1\nit=1 Q:0.5\nepoch 1 loss 0.9\nit=2 Q:0.4\nepoch 2 loss 0.8\nit=3 Q:oops";
        const auto test = testPatterns(log, {R"(it=(?<step>\d+) (?<name>Q):(?<value>\S+))"});
        QVERIFY2(test.ok(), test.ok() ? "" : test.error().text().c_str());
        QCOMPARE(test->lines, 6);
        QCOMPARE(test->series.size(), 2u);
        const PrintedSeries &first = test->series[0], &second = test->series[1];
        QCOMPARE(first.name, std::string("Q"));
        QCOMPARE(first.points, 2);
        QCOMPARE(first.firstLine, 2);
        QCOMPARE(first.last.step, 2);
        QCOMPARE(first.last.value, 0.4);
        QCOMPARE(first.text, std::string("it=1 Q:0.5"));
        QCOMPARE(second.name, std::string("loss"));
        QCOMPARE(second.points, 2);
        QCOMPARE(second.firstLine, 5); // where it came for the second time
        QVERIFY(!testPatterns(log, {"("}).ok());
        QVERIFY(!testPatterns(log + ".none", {}).ok());
    }
};

QTEST_GUILESS_MAIN(ValuePatternsTest)
#include "value_patterns_test.moc"
