// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as PDF: of a run, a comparison and a sweep of a real workspace, written by the window's code and its program.
#include "engine/store/run_query.h"
#include "tests/gui/sample_workspace.h"
#include "ui/report/pdf_report.h"
#include "ui/report/report_document.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>
#include <filesystem>

using namespace trainyard;

namespace {

QByteArray bytesOf(const QString& file) {
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

// What the packed parts of a PDF hold, one after another.
QByteArray contentOf(const QByteArray& pdf) {
    QByteArray content;
    for (qsizetype at = 0; (at = pdf.indexOf("stream\n", at)) >= 0; at += 7) {
        if (pdf.mid(at - 3, 3) == "end") continue;
        const QByteArray packed = pdf.mid(at + 7, pdf.indexOf("endstream", at) - at - 7);
        content += qUncompress(QByteArray("\x7f\xff\xff\xff", 4) + packed); // the length is a guess
    }
    return content;
}

} // namespace

class PdfReportTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    store::Workspace m_workspace;
    std::string m_run, m_sweep;

    static const QTextTable* onlyTable(const QTextDocument& document) {
        for (QTextFrame* frame : document.rootFrame()->childFrames())
            if (const auto* table = qobject_cast<QTextTable*>(frame)) return table;
        return nullptr;
    }
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private Q_SLOTS:
    void initTestCase() {
        m_workspace.root = m_folder.filePath(QStringLiteral("ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
        testing::fillSampleWorkspace(m_workspace);
        const auto query = *store::RunQuery::open(m_workspace);
        const auto runs = *query->runs();
        for (const auto& row : runs)
            if (row.status == wire::RunStatus::Finished && row.sweep.empty()) m_run = row.id;
        m_sweep = query->sweeps()->front().id;
        QVERIFY(!m_run.empty());
    }

    void curvesAreVectors_data() {
        QTest::addColumn<QStringList>("names");
        const auto query = *store::RunQuery::open(m_workspace);
        QStringList two;
        const auto runs = *query->runs();
        for (const auto& row : runs)
            if (two.size() < 2) two << QString::fromStdString(row.id);
        QTest::newRow("a run") << QStringList{QString::fromStdString(m_run)};
        QTest::newRow("two runs") << two;
        QTest::newRow("a sweep") << QStringList{QString::fromStdString(m_sweep)};
    }
    void curvesAreVectors() {
        QFETCH(QStringList, names);
        std::vector<std::string> wanted;
        for (const QString& name : names) wanted.push_back(name.toStdString());
        const auto written = ui::writeReportFile(m_workspace, wanted, file("report.pdf"), true);
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
        const QByteArray pdf = bytesOf(file("report.pdf"));
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY2(!pdf.contains("/Subtype /Image"), "a curve is no picture");
        const QByteArray content = contentOf(pdf);
        const auto lines = content.count(" l\n") + content.count(" c\n"); // lines and circles
        QVERIFY2(lines > 100, qPrintable(QString::number(lines)));
    }

    // Feature: a report tells how far it is, and can be cancelled; the file stays as it was.
    void aReportTellsHowFarItIsAndCanBeStopped() {
        std::vector<std::string> names;
        const auto query = *store::RunQuery::open(m_workspace);
        const auto runs = *query->runs();
        for (const auto& row : runs) names.push_back(row.id);
        std::vector<double> told;
        const auto note = [&](double share) {
            told.push_back(share);
            return true;
        };
        QVERIFY(ui::writeReportFile(m_workspace, names, file("told.pdf"), true, note).ok());
        QVERIFY(std::is_sorted(told.begin(), told.end()));
        QVERIFY(told.front() < 0.1 && told.back() > 0.7 && told.back() <= 1);
        const QByteArray before = bytesOf(file("told.pdf"));
        for (const double until : {0.2, 0.5, 0.75}) { // while it is read, laid out and painted
            const auto stopped = ui::writeReportFile(m_workspace, names, file("told.pdf"), true,
                                                     [until](double share) { return share < until; });
            QVERIFY(!stopped && stopped.error().kind == ErrorKind::Stopped);
            QVERIFY(bytesOf(file("told.pdf")) == before);
        }
    }

    // However long the table is: with some lengths only its last row would be on the next page.
    void noRowStandsAloneOnAPage() {
        int onTwoPages = 0;
        for (int count = 3; count < 75; ++count) {
            report::Table table{.title = "Configurations", .columns = {{"run"}, {"score", true}}};
            for (int row = 0; row < count; ++row) table.rows.push_back({{.text = "run"}, {.text = "0.5"}});
            report::Report report{.kind = "Report", .title = "Long", .subtitle = "table"};
            report.sections.push_back({"Before", {report::Text{std::string(1500, 'x')}}});
            report.sections.push_back({"Table", {table}});
            QTextDocument document;
            const ui::Theme colors = ui::buildTheme({});
            ui::layOutReport(document, report, colors);
            const QTextTable* made = onlyTable(document);
            QVERIFY(made && made->rows() == count + 1);
            const auto page = [&](int row) {
                return ui::pageOf(document, made->cellAt(row, 0).firstCursorPosition().block());
            };
            QVERIFY2(page(count) == page(count - 1), qPrintable(QString::number(count)));
            onTwoPages += page(1) != page(count) ? 1 : 0;
        }
        QVERIFY2(onTwoPages > 10, qPrintable(QString::number(onTwoPages)));
    }

    void noRowIsSplitOverTwoPages() {
        const auto ends = [](const QTextDocument& document, const QTextTableCell& cell) {
            const QTextBlock block = cell.lastCursorPosition().block();
            const QTextLine last = block.layout()->lineAt(block.layout()->lineCount() - 1);
            return document.documentLayout()->blockBoundingRect(block).top() + last.y();
        };
        std::string why;
        for (int word = 0; word < 180; ++word) why += "word ";
        int moved = 0;
        for (int before = 0; before < 4; ++before) {
            report::Table table{.title = "Trials", .columns = {{"run"}, {"why it ended"}}};
            for (int row = 0; row < 40; ++row) table.rows.push_back({{.text = "run"}, {.text = why}});
            report::Report report{.kind = "Report", .title = "Long", .subtitle = "rows"};
            report.sections.push_back(
                {"Before", {report::Text{std::string(100 + 40 * static_cast<std::size_t>(before), 'x')}}});
            report.sections.push_back({"Table", {table}});
            QTextDocument document;
            const ui::Theme colors = ui::buildTheme({});
            ui::layOutReport(document, report, colors);
            const QTextTable* made = onlyTable(document);
            QVERIFY(made);
            for (int row = 1; row < made->rows(); ++row) {
                const int first = ui::pageOf(document, made->cellAt(row, 1).firstCursorPosition().block());
                const int last = static_cast<int>((ends(document, made->cellAt(row, 1)) + 1) / ui::kPageHeight);
                QVERIFY2(first == last, qPrintable(QStringLiteral("%1, row %2").arg(before).arg(row)));
                moved += made->cellAt(row, 0).format().hasProperty(QTextFormat::TableCellTopPadding) ? 1 : 0;
            }
        }
        QVERIFY2(moved > 5, qPrintable(QString::number(moved)));
    }

    void namesAndNumbersAreNotBroken() {
        report::Table table{.columns = {{""}, {"calm-finch", true}, {"eager-lynx", true}, {"remark"}}};
        table.rows.push_back(
            {{.text = "best val/accuracy"},
             {.text = "0.9231"},
             {.text = "0.9305 (+0.8%)"},
             {.text = std::string(
                  "a remark of many words that need several lines, whatever happens to the other columns of it")}});
        report::Report report{.kind = "Report", .title = "Wide", .subtitle = "table"};
        report.sections.push_back({"Table", {table}});
        QTextDocument document;
        const ui::Theme colors = ui::buildTheme({});
        ui::layOutReport(document, report, colors);
        const QTextTable* made = onlyTable(document);
        QVERIFY(made);
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 3; ++column) {
                const QTextBlock block = made->cellAt(row, column).firstCursorPosition().block();
                QVERIFY2(block.layout()->lineCount() <= 1, qPrintable(block.text()));
            }
    }

    void theProgramWritesItWithoutADisplay() {
        const QString program = qEnvironmentVariable("TRAINYARD_BIN") + QStringLiteral("/trainyard");
        const auto run = [&](const QStringList& words) {
            QProcess process;
            auto environment = QProcessEnvironment::systemEnvironment();
            for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
            process.setProcessEnvironment(environment);
            process.start(program, words);
            if (!process.waitForFinished(50'000)) return std::pair(-1, QByteArray("does not end"));
            return std::pair(process.exitCode(), process.readAllStandardError());
        };
        const QStringList words{QStringLiteral("--workspace"), QString::fromStdString(m_workspace.root.string()),
                                QStringLiteral("--report"),    QString::fromStdString(m_run),
                                QStringLiteral("--pdf"),       file("headless.pdf")};
        const auto [code, said] = run(words);
        QVERIFY2(code == 0, said.constData());
        QVERIFY(bytesOf(file("headless.pdf")).startsWith("%PDF-"));
        const auto [again, why] = run(words);
        QCOMPARE(again, 2);
        QVERIFY2(why.contains("exists already"), why.constData());
        QCOMPARE(run(words + QStringList{QStringLiteral("--force")}).first, 0);
        QCOMPARE(run({QStringLiteral("--report"), QStringLiteral("a")}).first, 2); // without a file
    }
};

QTEST_MAIN(PdfReportTest)
#include "pdf_report_test.moc"
