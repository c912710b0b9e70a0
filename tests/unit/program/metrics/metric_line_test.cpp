// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of $TRAINYARD_METRICS, and the steps at which they stand.
#include "engine/program/metrics/metric_line.h"
#include "engine/program/metrics/metric_steps.h"

#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace trainyard::program;

namespace {

QString numberText(double value) { return std::isnan(value) ? "nan" : QString::number(value, 'g', 10); }

// "step=12 epoch=0.4 train/loss=0.31 checkpoint:a.pt"
QString toldOf(const MetricLine& line) {
    QStringList parts;
    if (line.step) parts << "step=" + QString::number(*line.step);
    if (line.epoch) parts << "epoch=" + numberText(*line.epoch);
    for (const auto& [name, value] : line.values) parts << QString::fromStdString(name) + "=" + numberText(value);
    if (!line.checkpoint.empty()) parts << "checkpoint:" + QString::fromStdString(line.checkpoint);
    if (!line.text.empty()) parts << "text:" + QString::fromStdString(line.text);
    if (!line.event.empty()) parts << "event:" + QString::fromStdString(line.event);
    for (const auto& [name, value] : line.summary) {
        const auto* number = std::get_if<double>(&value);
        const auto* text = std::get_if<std::string>(&value);
        parts << "summary:" + QString::fromStdString(name) + "=" +
                     (number != nullptr ? numberText(*number)
                      : text != nullptr ? QString::fromStdString(*text)
                                        : "flag");
    }
    if (line.ignored > 0)
        parts << "ignored " + QString::number(line.ignored) + " from " + QString::fromStdString(line.firstIgnored);
    return parts.join(' ');
}

} // namespace

class MetricLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: metrics that any language appends to a file.
    void aLineIsRead_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* line, const char* said) {
            QTest::newRow(name) << QByteArray(line) << QString::fromUtf8(said);
        };
        row("a step and a value", R"({"step": 12, "epoch": 0.4, "train/loss": 0.31})",
            "step=12 epoch=0.4 train/loss=0.31");
        row("nested", R"({"train": {"loss": 1, "acc": {"top1": 2}}})", "train/loss=1 train/acc/top1=2");
        row("Python's words", R"({"a": NaN, "b": Infinity, "c": -Infinity})", "a=nan b=inf c=-inf");
        row("words of others", R"({"a": "nan", "b": "Infinity", "c": "-inf"})", "a=nan b=inf c=-inf");
        row("a truth value", R"({"converged": true, "x": false})", "converged=1 x=0");
        row("null is a gap", R"({"step": null, "loss": null, "acc": 1})", "acc=1");
        row("a whole step", R"({"step": 12.0, "loss": 1e-3})", "step=12 loss=0.001");
        row("a step as text", R"({"step": "12", "loss": 1})", "step=12 loss=1");
        row("an epoch as text", R"({"epoch": "1.5", "loss": 1})", "epoch=1.5 loss=1");
        row("no step", R"({"loss": 1})", "loss=1");
        row("a checkpoint", R"({"step": 5, "checkpoint": "out/\u00e4.pt"})", "step=5 checkpoint:out/ä.pt");
        row("text", "{\"text\": \"a \\\"note\\\"\"}", "text:a \"note\"");
        row("an event", R"({"event": "unfrozen", "step": 3})", "step=3 event:unfrozen");
        row("a summary", R"({"summary": {"best": 0.9, "host": "a", "deep": {"x": true}}})",
            "summary:best=0.9 summary:host=a summary:deep/x=flag");
        row("a metric named text", R"({"text": 3})", "text=3");
        row("words and lists", R"({"note": "abc", "list": [1, 2], "loss": 1})", "loss=1 ignored 2 from note");
        row("too large a number", R"({"loss": 1e999})", "ignored 1 from loss");
        row("a name that a terminal would obey", "{\"\x1b[31mloss\": 1}", "\\x1b[31mloss=1");
        row("nothing", "{}", "");
        row("a step deep inside is a value", R"({"a": {"step": 3}})", "a/step=3");
    }
    void aLineIsRead() {
        QFETCH(QByteArray, line);
        QFETCH(QString, said);
        const auto read = readMetricLine(line.toStdString(), "m.jsonl, line 1");
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        QCOMPARE(toldOf(*read), said);
    }

    // Bad inputs: lines of a metrics file.
    void aBadLineIsExplained_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const QByteArray& line, const char* why) {
            QTest::newRow(name) << line << QString::fromUtf8(why);
        };
        row("no JSON", "loss=0.3", "is no JSON object: byte 1 is loss=0.3");
        row("a list", "[1, 2]", "is no JSON object");
        row("cut off", "{\"loss\": 0.", "is no JSON object: it is cut off");
        row("two objects", "{\"a\": 1}{\"b\": 2}", "byte 9 is {\"b\": 2}");
        row("binary", QByteArray("\0\x01\xFF\x80", 4), "byte 1 is \\x00\\x01\\xff\\x80");
        row("a step that is no number", R"({"step": "ten", "loss": 1})", "the step is \"ten\"");
        row("a part of a step", R"({"step": 1.5, "loss": 1})", "the step is \"1.5\"");
        row("a negative step", R"({"step": -1, "loss": 1})", "the step is \"-1\"");
        row("a step that is no number at all", R"({"step": NaN, "loss": 1})", "the step is \"NaN\"");
        row("deep", QByteArray("{\"a\":").repeated(100'000), "is no JSON object");
    }
    void aBadLineIsExplained() {
        QFETCH(QByteArray, line);
        QFETCH(QString, why);
        const auto read = readMetricLine(line.toStdString(), "m.jsonl, line 7");
        QVERIFY(!read.ok());
        const QString text = QString::fromStdString(read.error().text());
        QVERIFY2(text.contains(why), qPrintable(text));
        QVERIFY2(text.startsWith("m.jsonl, line 7: ") && !read.error().remedy.empty(), qPrintable(text));
    }

    void manyNamesAreBounded() {
        std::string line = "{\"step\": 1";
        for (int name = 0; name < 100'000; ++name) line += ", \"n" + std::to_string(name) + "\": 1";
        const auto read = readMetricLine(line + "}", "m");
        QVERIFY(read.ok());
        QCOMPARE(read->values.size(), kMostMetricNames);
        QCOMPARE(read->ignored, 100'000 - static_cast<std::int64_t>(kMostMetricNames));
        QCOMPARE(read->firstIgnored, std::string("n10000"));
    }

    // The first bad line is told, the others are counted, and the good ones are read.
    void badLinesAreCountedAndSaidOnce() {
        MetricLines lines("m.jsonl");
        QVERIFY(lines.read(R"({"loss": 1})").has_value());
        QVERIFY(!lines.read("").has_value());
        QVERIFY(!lines.read("oops").has_value());
        const auto fault = lines.takeFault();
        QVERIFY(fault.has_value());
        QVERIFY2(fault->text().starts_with("m.jsonl, line 3: is no JSON object"), fault->text().c_str());
        QVERIFY(!lines.read("again").has_value());
        lines.tooLong();
        QVERIFY(!lines.takeFault().has_value());
        QCOMPARE(lines.badLines(), 3);
        QVERIFY(lines.read(R"({"loss": 2})").has_value());
    }

    void aLineHasAStep_data() {
        QTest::addColumn<QString>("lines"); // "step@epoch", either may be missing
        QTest::addColumn<QString>("steps");
        QTest::newRow("steps") << "10 20 30" << "10 20 30";
        QTest::newRow("order") << "- - -" << "0 1 2";
        QTest::newRow("epochs") << "@1 @2 @3" << "1 2 3";
        QTest::newRow("parts of epochs") << "@0.5 @1.0 @1.5" << "0 1 2";
        QTest::newRow("a line without a step stands at the last") << "10 - 20 @2 30" << "10 10 20 20 30";
        QTest::newRow("steps within epochs") << "0@0 1@0 2@0 0@1 1@1 2@1 0@2" << "0 1 2 3 4 5 6";
        QTest::newRow("back without an epoch") << "10 20 10" << "10 20 10";
    }
    void aLineHasAStep() {
        QFETCH(QString, lines);
        QFETCH(QString, steps);
        MetricSteps counter;
        QStringList found;
        for (const QString& each : lines.split(' ')) {
            const QString step = each.section('@', 0, 0), epoch = each.section('@', 1);
            bool hasStep = false, hasEpoch = false;
            const auto number = step.toLongLong(&hasStep);
            const auto part = epoch.toDouble(&hasEpoch);
            found << QString::number(counter
                                         .next(hasStep ? std::optional<std::int64_t>(number) : std::nullopt,
                                               hasEpoch ? std::optional<double>(part) : std::nullopt)
                                         .step);
        }
        QCOMPARE(found.join(' '), steps);
    }
};

QTEST_GUILESS_MAIN(MetricLineTest)
#include "metric_line_test.moc"
