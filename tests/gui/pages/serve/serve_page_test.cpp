// SPDX-License-Identifier: GPL-3.0-or-later
// The page of services: empty, with services in every state, its requests to a service, and the sheet that starts one.
#include "engine/base/clock.h"
#include "engine/serve/control/figure_log.h"
#include "engine/spec/run/run_spec.h"
#include "tests/gui/forms/form_fields.h"
#include "tests/gui/sample_service.h"
#include "tests/gui/sample_workspace.h"
#include "ui/actions/action.h"
#include "ui/models/serve/service_copy.h"
#include "ui/models/serve/service_words.h"
#include "ui/pages/serve/figure_strip.h"
#include "ui/pages/serve/reach_fields.h"
#include "ui/pages/serve/replica_chips.h"
#include "ui/pages/serve/serve_page.h"
#include "ui/pages/serve/serve_sheet.h"
#include "ui/pages/serve/service_board.h"
#include "ui/pages/serve/service_charts.h"
#include "ui/pages/serve/service_sheets.h"
#include "ui/pages/serve/service_trial.h"
#include "ui/pages/serve/version_card.h"
#include "ui/plots/chart/plot.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/marks/status_chip.h"
#include "ui/widgets/sheets/confirm_sheet.h"

#include <QComboBox>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;
using testing::StandingService;

class ServePageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
    std::unique_ptr<MainWindow> m_window;

    void open() {
        m_window = std::make_unique<MainWindow>(m_workspace);
        m_window->resize(1366, 768);
        m_window->setPage(QStringLiteral("serve"));
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_VERIFY(m_window->bench().services.loaded());
    }
    ServePage& page() const { return *m_window->findChild<ServePage*>(); }
    ServiceBoard& board() const { return *page().board(); }
    template <class T>
    T* sheet() const {
        T* found = nullptr;
        [&] { QTRY_VERIFY((found = m_window->findChild<T*>())); }();
        return found;
    }
    QString rowText(int row, ServiceList::Role role) const {
        return page().list()->model()->index(row, 0).data(role).toString();
    }
    bool shows(const QString& text) const {
        for (const auto* each : board().findChildren<QPushButton*>())
            if (each->text() == text) return each->isVisible();
        return false;
    }
    // Until the service was asked for this, as a part of its line.
    static void waitForRequest(const StandingService& service, const std::string& words) {
        const auto last = [&] { return service.requests().empty() ? std::string() : service.requests().back(); };
        QTRY_VERIFY2(last().find(words) != std::string::npos, (words + " but " + last()).c_str());
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace.root = (m_folder->path() + QStringLiteral("/ws")).toStdString();
        std::filesystem::create_directories(m_workspace.root);
    }
    void cleanup() { m_window.reset(); }

    // Feature: a workspace without services says what a service is and how to begin one.
    void withoutServicesItSaysWhatToDo() {
        open();
        auto* empty = page().findChild<EmptyState*>();
        QVERIFY(empty->isVisible());
        empty->button()->click();
        auto* asked = sheet<ServeSheet>();
        QVERIFY(!asked->goButton()->isEnabled()); // no run, no checkpoint
        QVERIFY2(asked->problem().contains(QStringLiteral("TorchScript")), qPrintable(asked->problem()));
    }

    // Feature: a running service with rate, latencies, replicas and versions, which follow it.
    void aRunningServiceIsFollowed() {
        const auto spec = testing::busySpec("fashion");
        auto status = testing::busyStatus(spec);
        StandingService service(m_workspace, spec, status);
        open();
        QTRY_COMPARE(rowText(0, ServiceList::StateRole), QStringLiteral("Ready"));
        QCOMPARE(rowText(0, ServiceList::AddressRole), QStringLiteral("http://127.0.0.1:8100"));
        QCOMPARE(rowText(0, ServiceList::FiguresRole), QStringLiteral("1,240/s · p50 0.42 ms · p99 1.87 ms"));
        QVERIFY(!board().banner()->isVisible());
        QCOMPARE(board().replicas()->chips().size(), 3);
        QCOMPARE(board().versions()->view()->model()->rowCount(), 3);
        QCOMPARE(board().versions()->slider()->value(), 10);
        status.qps = 7.5;
        status.replicas.pop_back();
        status.state = serve::ServiceState::Draining;
        service.tell(status);
        QTRY_COMPARE(rowText(0, ServiceList::StateRole), QStringLiteral("Draining"));
        QTRY_COMPARE(board().replicas()->chips().size(), 2);
        QCOMPARE(board().findChild<FigureStrip*>()->figures().front().value, QStringLiteral("7.5/s"));
        QVERIFY(board().banner()->isVisible());
        QVERIFY2(board().banner()->accessibleName().contains(QStringLiteral("9 requests")),
                 qPrintable(board().banner()->accessibleName()));
    }

    // Feature: replicas are killed for a rehearsal, versions promoted, rolled back and given a share; each asks first
    // where something ends.
    void itsButtonsAskTheService() {
        const auto spec = testing::busySpec("fashion");
        StandingService service(m_workspace, spec, testing::busyStatus(spec));
        open();
        QTRY_COMPARE(board().replicas()->chips().size(), 3);
        auto* chip = board().replicas()->chips()[1];
        chip->click();
        auto* menu = chip->findChild<QMenu*>(); // which Qt 6.8 offscreen may close at once
        QVERIFY(menu);
        menu->actions().front()->trigger();
        menu->close();
        auto* kill = sheet<ConfirmSheet>();
        QVERIFY2(kill->words().contains(QStringLiteral("no accepted request is lost")), qPrintable(kill->words()));
        QVERIFY(service.requests().empty());
        kill->goButton()->click();
        waitForRequest(service, R"("do":"kill","replica":1)");
        board().versions()->promoteButton()->click();
        waitForRequest(service, R"("do":"promote","name":"fashion")");
        board().versions()->rollBackButton()->click();
        waitForRequest(service, R"("do":"rollback","name":"fashion")");
        board().versions()->slider()->setFocus();
        QTest::keyClick(board().versions()->slider(), Qt::Key_Right);
        waitForRequest(service, R"("do":"share","name":"fashion","share":0.11)");
        test::press<QPushButton>(board(), QStringLiteral("Scale…"));
        auto* scale = sheet<ScaleSheet>();
        scale->most()->setValue(5);
        scale->go();
        waitForRequest(service, R"("do":"scale","min":1,"max":5)");
        test::press<QPushButton>(board(), QStringLiteral("Stop…"));
        QTRY_VERIFY(m_window->findChild<ConfirmSheet*>() && m_window->findChild<ConfirmSheet*>()->isVisible());
        QVERIFY(m_window->findChild<ConfirmSheet*>()->words().contains(QStringLiteral("9")));
        m_window->findChild<ConfirmSheet*>()->goButton()->click();
        waitForRequest(service, R"("do":"stop")");
    }

    // Feature: a service that could not start says why, in its place; it can be started again.
    void aFailedServiceSaysWhy() {
        const auto spec = testing::busySpec("broken");
        serve::ServiceStatus status;
        status.state = serve::ServiceState::Failed;
        status.reason = "port 8100 is taken (choose another: --port)";
        testing::leaveService(m_workspace, spec, status);
        open();
        QTRY_COMPARE(rowText(0, ServiceList::StateRole), QStringLiteral("Failed"));
        QVERIFY(board().banner()->isVisible());
        QCOMPARE(board().banner()->accessibleDescription(), QString::fromStdString(status.reason));
        QVERIFY(shows(QStringLiteral("Start again")) && !shows(QStringLiteral("Stop…")));
    }

    // Feature: the figures that a service has kept of up to 30 days are drawn for the time that is chosen, also once it
    // has ended; the page names the host that it lives on.
    void keptFiguresAreDrawn() {
        auto spec = testing::busySpec("kept");
        spec.on = "h1";
        auto status = testing::busyStatus(spec);
        status.state = serve::ServiceState::Stopped;
        testing::leaveService(m_workspace, spec, status);
        constexpr std::int64_t kDayMs = 86'400'000;
        const std::int64_t now = wallClockMs();
        serve::FigureLog log(serve::ServiceFolder::of(m_workspace, "kept").figures());
        for (std::int64_t at = now - 20 * kDayMs; at <= now; at += at < now - kDayMs / 24 ? 600'000 : 10'000) {
            status.answered += 100;
            status.codes[503] += at > now - kDayMs ? 1 : 0;
            log.add(status, at);
        }
        open();
        auto* charts = board().charts();
        QTRY_VERIFY(charts->isVisible() && !charts->isEmpty());
        QCOMPARE(board().home()->text(), QStringLiteral("h1"));
        QCOMPARE(rowText(0, ServiceList::AddressRole), QStringLiteral("http://127.0.0.1:8100 · on h1"));
        for (const auto& [range, days] : {std::pair(0, 1.0 / 144), {1, 1.0 / 24}, {2, 1.0}, {3, 20.0}}) {
            charts->range()->setCurrentIndex(range);
            const AxisRange& shown = charts->rate()->scene().x.range;
            const double width = (shown.high - shown.low) * 1e3 / static_cast<double>(kDayMs);
            QVERIFY2(width > 0.9 * days && width < 1.3 * days, qPrintable(QString::number(width)));
        }
        const auto drawn = [](const Plot* plot) { return plot->scene().layers.front()->csv(); };
        QVERIFY(drawn(charts->rate()).starts_with("time,Requests,Errors\n"));
        QVERIFY(drawn(charts->rate()).find(",10,0.1") != std::string::npos); // the last hour
        QVERIFY(drawn(charts->latency()).find(",1.87") != std::string::npos);
    }

    // What was kept while nobody looked goes between the samples of the window, once, and joined by lines.
    void keptFiguresFillGaps() {
        const auto at = [](double moment, double span) { return FigureSample{moment, span, moment, 1, 2, 0}; };
        const QList<FigureSample> live{at(100, 2), at(101, 2), at(140, 2)};
        const QList<FigureSample> kept{at(80, 10),  at(90, 10),  at(100, 10), at(110, 10),
                                       at(120, 10), at(130, 10), at(140, 10)};
        QCOMPARE(filled(live, kept), (QList<FigureSample>{at(80, 10), at(90, 10), at(100, 2), at(101, 10), at(110, 10),
                                                          at(120, 10), at(130, 10), at(140, 2)}));
        QCOMPARE(filled({}, kept), kept);
        QCOMPARE(filled(live, {}), live);
    }

    // Bad inputs: what cannot be served is refused while it is typed, with the reason.
    void theSheetRefusesWhatCannotBeServed() {
        const auto store = store::Store::open(m_workspace);
        const std::string run = testing::addRun(**store, m_workspace, {.name = QStringLiteral("my run!")});
        const auto file = m_workspace.runFolder(run) / "checkpoints" / "best.safetensors";
        std::filesystem::create_directories(file.parent_path());
        QVERIFY(writeFileAtomic(file, "weights"));
        const auto spec = testing::busySpec("taken");
        StandingService service(m_workspace, spec, testing::busyStatus(spec));
        open();
        QTRY_VERIFY(m_window->bench().feed.run(QString::fromStdString(run)));
        Q_EMIT m_window->bench().serveRequested(QString::fromStdString(run), QString::fromStdString(file.string()), 9,
                                                {});
        auto* asked = sheet<ServeSheet>();
        QCOMPARE(asked->name()->text(), QString::fromStdString(serve::serviceNameOf("my run!")));
        for (const QWidget* each : {static_cast<QWidget*>(asked->checkpoint()), static_cast<QWidget*>(asked->port()),
                                    static_cast<QWidget*>(asked->goButton())})
            QTRY_VERIFY(each->visibleRegion().boundingRect().height() >= 20); // the sheet is as high as its fields
        QVERIFY2(asked->goButton()->isEnabled(), qPrintable(asked->problem()));
        QCOMPARE(asked->spec().models.front().step, 9);
        QTest::keyClicks(asked->name()->edit(), QStringLiteral("/.."));
        QVERIFY(!asked->name()->error().isEmpty() && !asked->goButton()->isEnabled());
        asked->name()->edit()->selectAll();
        QTest::keyClicks(asked->name()->edit(), QStringLiteral("taken"));
        QVERIFY(asked->name()->error().contains(QStringLiteral("runs already")));
        QTest::keyClicks(asked->name()->edit(), QStringLiteral("2"));
        QVERIFY(asked->goButton()->isEnabled());
        QTest::keyClicks(asked->port()->edit(), QStringLiteral("70000"));
        QVERIFY(!asked->port()->error().isEmpty());
        asked->port()->edit()->selectAll();
        QTest::keyClicks(asked->port()->edit(), QStringLiteral("8100"));
        QVERIFY(asked->port()->error().isEmpty());
        asked->reach()->choice()->setCurrentIndex(1);
        QVERIFY2(!asked->goButton()->isEnabled() && !asked->problem().isEmpty(), "beyond this computer without TLS");
        asked->reach()->plaintext()->click();
        QVERIFY2(asked->goButton()->isEnabled(), qPrintable(asked->problem()));
        QVERIFY(asked->spec().plaintext && asked->spec().host == "0.0.0.0");
    }

    // A program's checkpoint holds no model, which its menu says; that of a training can be served.
    void programsSayWhyTheyAreNotServed() {
        auto program = std::make_shared<RunItem>();
        auto training = std::make_shared<RunItem>();
        program->isProgram = true;
        open();
        for (const auto& [run, served] : {std::pair(program, false), std::pair(training, true)}) {
            const ActionTarget target{m_window->bench(), run, m_window.get(), store::CheckpointRow{}};
            QCOMPARE(refusalOf(action("serve"), target).isEmpty(), served);
        }
    }

    void histogramsHaveTheirBars() {
        serve::LatencyCounts latency{{1, 2, 5, 1500}, {0, 3, 0, 1, 0}};
        QStringList names;
        const auto bars = latencyBars(latency, names);
        QCOMPARE(names, QStringList({QStringLiteral("≤ 2 ms"), QStringLiteral("≤ 5 ms"), QStringLiteral("≤ 1.5 s")}));
        QCOMPARE(bars.size(), 3);
        QCOMPARE(bars[0].to, 75.0);
        QCOMPARE(bars[1].to, 0.0);
        latency.counts = {0, 0, 0, 0, 0};
        QVERIFY(latencyBars(latency, names).isEmpty() && names.isEmpty());
        serve::LatencyCounts fine;
        for (int i = 1; i <= 40; ++i) fine.boundsMs.push_back(i);
        fine.counts.assign(41, 1);
        const auto merged = latencyBars(fine, names);
        double sum = 0;
        for (const Bar& bar : merged) sum += bar.to;
        QVERIFY2(merged.size() <= 12 && std::abs(sum - 100) < 1e-9, qPrintable(names.join('|')));
        latency.counts = {0, 0, 0, 0, 2};
        latencyBars(latency, names);
        QCOMPARE(names, QStringList{QStringLiteral("> 1.5 s")});
    }

    // What passed since an earlier count; after a restart, all.
    void countsAreSubtracted() {
        const serve::LatencyCounts before{{1}, {3, 1}}, after{{1}, {5, 1}}, restarted{{1}, {1, 0}}, other{{2}, {9, 9}};
        QCOMPARE(between(before, after).counts, (std::vector<std::int64_t>{2, 0}));
        QCOMPARE(between(before, restarted).counts, restarted.counts);
        QCOMPARE(between(before, other).counts, other.counts);
    }

    // Feature: the question to a service as curl or Python; the token stays in its file.
    void copiesNameTheTokensFile() {
        serve::ServiceView service{.folder = {"/tmp/it's here"}, .spec = testing::busySpec("fashion"), .status = {}};
        service.status = testing::busyStatus(service.spec);
        const ServiceBody picture{"image/png", "secret bytes", QStringLiteral("/tmp/a b.png")};
        const QString curl = curlText(service, QStringLiteral("fashion"), picture);
        QVERIFY2(curl.contains(QStringLiteral("$(cat '/tmp/it'\\''s here/token')")), qPrintable(curl));
        QVERIFY(curl.contains(QStringLiteral("--data-binary '@/tmp/a b.png'")));
        QVERIFY(curl.contains(QStringLiteral("'http://127.0.0.1:8100/predict/fashion'")));
        QVERIFY(!curl.contains(QStringLiteral("secret")));
        const QString typed = curlText(service, QStringLiteral("fashion"), {"text/csv", "@1,2"});
        QVERIFY2(typed.contains(QStringLiteral("--data-raw '@1,2'")), qPrintable(typed)); // no file
        const QString python = pythonText(service, QStringLiteral("fashion"), picture);
        QVERIFY2(python.contains(QStringLiteral("pathlib.Path(\"/tmp/it's here/token\")")), qPrintable(python));
        service.spec.socket = "/tmp/s.sock";
        QVERIFY(curlText(service, QStringLiteral("fashion"), picture)
                    .contains(QStringLiteral("--unix-socket '/tmp/s.sock'")));
    }

    // Bad inputs: what cannot be sent says why, before anything is sent.
    void samplesBecomeBodies_data() {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("type"); // empty: it is refused
        const auto file = [](const char* name) { return QStringLiteral("file:") + QLatin1String(name); };
        QTest::newRow("row") << QStringLiteral("row:1,red") << QByteArray() << QByteArray("text/csv");
        QTest::newRow("text") << QStringLiteral("text:To be") << QByteArray() << QByteArray("text/plain");
        QTest::newRow("dataset") << QStringLiteral("data:test/1") << QByteArray() << QByteArray();
        QTest::newRow("picture") << file("a.bin") << QByteArray("\x89PNG\r\n") << QByteArray("image/png");
        QTest::newRow("table") << file("a.CSV") << QByteArray("1,2\n") << QByteArray("text/csv");
        QTest::newRow("program") << file("a.exe") << QByteArray("MZ") << QByteArray();
        QTest::newRow("missing") << QStringLiteral("/nowhere/a.png") << QByteArray() << QByteArray();
    }
    void samplesBecomeBodies() {
        QFETCH(QString, input);
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, type);
        if (input.startsWith(QLatin1String("file:"))) {
            input = m_folder->filePath(input.mid(5));
            QFile file(input);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        }
        const auto body = bodyOf({input, input});
        QCOMPARE(body ? body->type : QByteArray(), type);
        if (!body) QVERIFY(!body.error().message.empty() && !body.error().remedy.empty());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ServePageTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-serve-page-test"));
}
#include "serve_page_test.moc"
