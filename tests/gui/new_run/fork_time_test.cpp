// SPDX-License-Identifier: GPL-3.0-or-later
// The time that the New run sheet foresees for a fork; with a real worker.
#include "engine/base/clock.h"
#include "engine/run/start/first_run.h"
#include "engine/store/store.h"
#include "tests/gui/forms/form_fields.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/label.h"

#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>

using namespace trainyard;
using namespace trainyard::ui;

class ForkTimeTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
        m_window = std::make_unique<MainWindow>(store::Workspace{m_folder.path().toStdString()});
        m_window->resize(1280, 720);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanupTestCase() { m_window.reset(); }

    // As a program wrote it that did not have this setting yet.
    static std::string withoutCompressionRank(const std::string& text) {
        QJsonObject file = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QJsonObject scaling = file["scaling"].toObject();
        if (scaling.take("compressionRank").toInt() != 2) qFatal("no compressionRank");
        file["scaling"] = scaling;
        return QJsonDocument(file).toJson().toStdString();
    }

    // What its checkpoint has behind it is not trained again.
    void theTimeOfAForkIsThatOfTheRest() {
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().catalog.catalog(), 20000);
        const store::Workspace workspace = m_window->bench().feed.workspace();
        const auto store = *store::Store::open(workspace);
        spec::RunSpec spec = run::firstRun(*m_window->bench().catalog.catalog(), 1);
        spec.dataset = {"spirals", {{"samples", std::int64_t{1000}}}};
        spec.epochs = 10;
        RunForm form(*m_window->bench().catalog.catalog(), {});
        form.setSpec(spec);
        spec = form.read().spec; // as the window starts it, with every setting
        store::RunRow row;
        row.id = row.name = "source";
        row.status = wire::RunStatus::Finished;
        row.specJson = withoutCompressionRank(spec::toJson(spec));
        row.samplesPerSecond = 1; // so that the times are long
        row.folder = workspace.runFolder(row.id).string();
        store::CheckpointRow half;
        half.path = row.folder + "/checkpoints/step-40.safetensors";
        half.step = 40;
        half.epoch = 4;
        half.best = half.last = true;
        QVERIFY(store->createRun(row).ok() && store->updateRun(row).ok() && store->setCheckpoints(row.id, {half}).ok());
        const QString run = QString::fromStdString(row.id);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().feed.run(run), 20000);
        m_window->bench().selection.show(run);
        QTRY_VERIFY(!m_window->bench().feed.checkpoints(run).empty());
        auto* opened = m_window->openFork(run, -1);
        const auto time = [&opened] {
            for (const auto* list : opened->findChildren<PairList*>())
                for (const auto& pair : list->pairs())
                    if (pair.name.startsWith(QLatin1String("Time"))) return pair.value;
            return QString();
        };
        const auto seconds = [&time] {
            int sum = 0;
            for (const QString& part : time().split(':')) sum = sum * 60 + part.toInt();
            return time().contains(':') ? sum : -1;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(seconds() > 0, qPrintable(time()), 30000);
        const int rest = seconds();
        auto* from = test::named<QComboBox>(*opened, QStringLiteral("Start from"));
        QVERIFY(from && from->currentText().contains(QLatin1String("Epoch 4")));
        from->setCurrentIndex(from->count() - 1); // new weights
        Q_EMIT from->activated(from->currentIndex());
        QTRY_VERIFY2_WITH_TIMEOUT(std::abs(seconds() * 0.6 - rest) < 2,
                                  qPrintable(QStringLiteral("%1 of %2").arg(rest).arg(time())), 30000);

        // A head trained on cached features is no measure of the whole model.
        spec.finetune = {};
        spec.finetune.freeze = {"body"};
        spec.finetune.features = "cache";
        row.id = row.name = "head";
        row.specJson = spec::toJson(spec);
        row.samplesPerSecond = 1e6;
        row.folder = workspace.runFolder(row.id).string();
        row.createdMs = wallClockMs();
        half.path = row.folder + "/checkpoints/step-40.safetensors";
        QVERIFY(store->createRun(row).ok() && store->updateRun(row).ok() && store->setCheckpoints(row.id, {half}).ok());
        opened->close();
        const QString head = QStringLiteral("head");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().feed.run(head), 20000);
        m_window->bench().selection.show(head);
        QTRY_VERIFY(!m_window->bench().feed.checkpoints(head).empty());
        opened = m_window->openFork(head, -1, true);
        QTRY_VERIFY2_WITH_TIMEOUT(seconds() > rest / 2, qPrintable(time()), 30000);
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    ForkTimeTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-fork-time-test"));
}
#include "fork_time_test.moc"
