// SPDX-License-Identifier: GPL-3.0-or-later
// Long because: all rows open the same sheet on a real worker and share its helpers.
// The New run sheet with a real worker: how it is laid out, what is dropped on it, and what it says is wrong.
#include "engine/spec/values/flat_settings.h"
#include "tests/gui/drag.h"
#include "tests/gui/forms/form_fields.h"
#include "tests/gui/sample_workspace.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/fields/layer_locks.h"
#include "ui/forms/fields/weight_rows.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/text/format.h"
#include "ui/new_run/change_list.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/new_run/preview_paint.h"
#include "ui/new_run/samples_card.h"
#include "ui/pages/home/home_page.h"
#include "ui/shell/file_drop.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/marks/status_chip.h"

#include <QComboBox>
#include <QFileDialog>
#include <QImage>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

#include <cstdio>

using namespace trainyard;
using namespace trainyard::ui;
using trainyard::testing::Drag;

class NewRunSheetTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    void openWindow() {
        const store::Workspace workspace{(m_folder.path() + QStringLiteral("/ws")).toStdString()};
        std::filesystem::create_directories(workspace.root);
        m_window = std::make_unique<MainWindow>(workspace);
        m_window->resize(1280, 720);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    NewRunSheet* sheet() const { return m_window->findChild<NewRunSheet*>(); }
    NewRunSheet* openSheet() {
        auto* opened = m_window->openNewRun({}, false);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(opened->form() && opened->form()->isVisible(), 20000); }();
        return opened;
    }
    // Once the worker has said something about the run as it stands.
    void waitForVerdict() {
        const auto answered = [this] {
            const auto chips = sheet()->findChildren<StatusChip*>();
            return std::none_of(chips.begin(), chips.end(),
                                [](const auto* chip) { return chip->accessibleName() == QLatin1String("Checking"); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(answered(), 30000);
    }
    void choose(const char* dataset) {
        auto* combo = test::named<QComboBox>(*sheet(), QStringLiteral("Dataset"));
        QVERIFY(combo && combo->findData(QLatin1String(dataset)) >= 0);
        combo->setCurrentIndex(combo->findData(QLatin1String(dataset)));
        Q_EMIT combo->activated(combo->currentIndex());
    }
    // Else empty cells are filled in.
    void refuseEmptyCells() {
        spec::RunSpec spec = sheet()->form()->read().spec;
        spec.dataset.params["missing"] = std::string("refuse");
        sheet()->form()->change(spec);
    }
    QString makeImages(const QString& name) {
        const QDir folder(m_folder.path());
        for (const char* cls : {"cat", "dog"}) {
            const QString inside = name + QLatin1Char('/') + QLatin1String(cls);
            if (!folder.mkpath(inside)) return {};
            for (int i = 0; i < 40; ++i) {
                QImage image(16, 16, QImage::Format_RGB888);
                image.fill(QColor::fromHsv(i * 8, 200, *cls == 'c' ? 200 : 90));
                if (!image.save(folder.filePath(QStringLiteral("%1/%2.png").arg(inside).arg(i)))) return {};
            }
        }
        return folder.filePath(name);
    }
    QString written(const QString& name, const QByteArray& text) {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
    }
    // The one that is shown; null: none is.
    QPushButton* button(const char* words) const {
        for (auto* each : sheet()->findChildren<QPushButton*>())
            if (each->text() == QLatin1String(words) && each->isVisible()) return each;
        return nullptr;
    }
    void typeInto(const char* name, const char* text) {
        auto* edit = test::named<QLineEdit>(*sheet(), QLatin1String(name));
        QVERIFY2(edit, name);
        edit->selectAll();
        QTest::keyClicks(edit, QLatin1String(text));
    }
    QStringList markedLabels() const {
        QStringList names;
        for (const auto* label : sheet()->form()->findChildren<Label*>())
            if (label->role() == TextRole::Changed) names << label->text();
        return names;
    }
    static QString heldBy(QWidget& root, const char* title) {
        auto* field = test::named<UnitEdit>(root, QLatin1String(title));
        return field ? field->text() : QStringLiteral("no such field");
    }
    static QString errorOf(QWidget& root, const char* title) {
        auto* edit = test::named<UnitEdit>(root, QLatin1String(title));
        auto* field = edit ? qobject_cast<UnitField*>(edit->parentWidget()) : nullptr;
        return field ? field->error() : QStringLiteral("no such field");
    }

private Q_SLOTS:
    void initTestCase() {
        if (!std::filesystem::exists(CatalogLoader::workerProgram())) QSKIP("there is no trainyard-worker");
    }
    void init() {
        QSettings().clear();
        Settings::allRunFields.set(true); // few_settings_test is about the others
        std::filesystem::remove_all((m_folder.path() + QStringLiteral("/ws")).toStdString());
        openWindow();
    }
    void cleanup() { m_window.reset(); }

    void saysWhatIsKeptForValidationAndTest() {
        openSheet();
        const auto says = [this](const char* words) {
            const auto parts = sheet()->findChildren<QWidget*>();
            return std::any_of(parts.begin(), parts.end(), [words](const QWidget* part) {
                return part->accessibleDescription().contains(QLatin1String(words));
            });
        };
        choose("spirals");
        QTRY_VERIFY_WITH_TIMEOUT(says("train 2,400, validation 600"), 30000);
        typeInto("Test share", "10");
        QTRY_VERIFY_WITH_TIMEOUT(says("validation 600, test 300 once at the end"), 30000);
        if (!QFile::exists(QStringLiteral("/usr/share/datasets/fashion-mnist"))) return;
        choose("fashion-mnist");
        QCOMPARE(heldBy(*sheet(), "Validation share"), QStringLiteral("10"));
        QTRY_VERIFY_WITH_TIMEOUT(says("train 54,000, validation 6,000, test 10,000 once at the end"), 30000);
    }

    void nothingOverlapsInAnyWindow_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("both"); // settings and preview side by side
        QTest::newRow("the smallest window") << QSize(720, 480) << false;
        QTest::newRow("800 x 600") << QSize(800, 600) << false;
        QTest::newRow("1024 x 700") << QSize(1024, 700) << false;
        QTest::newRow("1280 x 720") << QSize(1280, 720) << true;
        QTest::newRow("1366 x 768") << QSize(1366, 768) << true;
    }
    void nothingOverlapsInAnyWindow() {
        QFETCH(QSize, size);
        QFETCH(bool, both);
        m_window->resize(size);
        auto* opened = openSheet();
        for (auto* row : opened->panel()->findChildren<Surface*>(QString(), Qt::FindDirectChildrenOnly)) {
            const auto parts = row->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
            for (const auto* a : parts)
                for (const auto* b : parts)
                    if (a != b && a->isVisible() && b->isVisible())
                        QVERIFY2(!a->geometry().intersects(b->geometry()),
                                 qPrintable(a->accessibleName() + QStringLiteral(" over ") + b->accessibleName()));
        }
        QScrollArea* area = nullptr;
        for (auto* each : opened->findChildren<QScrollArea*>())
            if (each->isAncestorOf(opened->form())) area = each;
        const QRect panel = opened->panel()->rect();
        const QRect form(area->mapTo(opened->panel(), QPoint()), area->size());
        QVERIFY(panel.contains(form));
        // Alone, the form is in the middle and the wider for it.
        if (!both)
            QVERIFY2(std::abs(form.center().x() - panel.center().x()) < 3, qPrintable(QString::number(form.x())));
        if (!both && size.width() > 800) QVERIFY(form.width() > 600);
    }

    void aFolderDroppedAnywhereOpensTheSheet() {
        const QString images = makeImages(QStringLiteral("pets"));
        Drag drag({images});
        QVERIFY(drag.enter(*m_window->centralWidget()));
        auto* hint = m_window->findChild<DropHint*>();
        QVERIFY(hint && hint->isVisible());
        QVERIFY2(hint->what().contains(QLatin1String("pets")), qPrintable(hint->what()));
        drag.leave(*m_window);
        QVERIFY(!hint->isVisible() && !sheet());
        drag.dropOn(*m_window->centralWidget());
        QVERIFY(!hint->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(sheet() && sheet()->form() && sheet()->form()->isVisible(), 20000);
        QCOMPARE(heldBy(*sheet(), "Folder"), images);
        QCOMPARE(sheet()->form()->read().spec.dataset.name, std::string("images"));
        const spec::RunSpec offered = sheet()->form()->read().spec;
        QCOMPARE(offered.model.name, std::string("convnet")); // wide and slow enough to learn from any seed
        QCOMPARE(std::get<std::int64_t>(offered.model.params.at("width")), std::int64_t{16});
        QCOMPARE(std::get<double>(offered.optimizer.params.at("lr")), 0.02);
        waitForVerdict();
        QVERIFY2(sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()));
    }

    void aTableDroppedOnTheOpenSheetIsItsData() {
        auto* opened = openSheet();
        QByteArray rows("a,b,price\n");
        for (int i = 0; i < 400; ++i) rows += QByteArray::number(i) + ",1," + QByteArray::number(i * 0.5 + 0.25) + '\n';
        const QString table = written(QStringLiteral("prices.csv"), rows);
        Drag({table}).dropOn(*opened->form());
        QCOMPARE(sheet(), opened);
        QCOMPARE(heldBy(*opened, "File"), table);
        QCOMPARE(opened->form()->read().spec.task, std::string("regression"));
        waitForVerdict();
        QVERIFY2(opened->startButton()->isEnabled(), qPrintable(opened->reason()));
    }

    void aRunFileDroppedOpens() {
        const QString file =
            written(QStringLiteral("r.json"), R"({"name": "dropped", "model": "mlp", "dataset": "spirals",
            "epochs": 3, "scaling": {"workers": 1}})");
        Drag({file}).dropOn(*m_window->centralWidget());
        QTRY_VERIFY_WITH_TIMEOUT(sheet() && sheet()->form(), 20000);
        QCOMPARE(test::text(*sheet(), "Name of the run"), QStringLiteral("dropped"));
    }

    void pathsOfARunFileAreMeantFromWhereItIs() {
        written(QStringLiteral("rows.csv"), "a,b\n1,x\n2,y\n3,x\n");
        const QString file = written(QStringLiteral("beside.json"), R"({"name": "beside", "model": "mlp",
            "dataset": {"name": "csv", "params": {"file": "rows.csv"}}, "epochs": 3, "scaling": {"workers": 1}})");
        m_window->openFile(file);
        QTRY_VERIFY_WITH_TIMEOUT(sheet() && sheet()->form(), 20000);
        QCOMPARE(heldBy(*sheet(), "File"), m_folder.filePath(QStringLiteral("rows.csv")));
    }

    // As a program that is given a file or folder to open.
    void dataOpensByItsPath() {
        const QString table = written(QStringLiteral("rows.csv"), "a,b\n1,x\n2,y\n3,x\n");
        m_window->openFile(table);
        QTRY_VERIFY_WITH_TIMEOUT(sheet() && sheet()->form(), 20000);
        QCOMPARE(heldBy(*sheet(), "File"), table);
    }

    void whatCannotBeUsedSaysWhy() {
        QStringList told;
        connect(&m_window->bench(), &Workbench::statusMessage, this, [&told](const QString& text) { told << text; });
        Drag drag({written(QStringLiteral("notes.pdf"), "%PDF")});
        QVERIFY(drag.enter(*m_window->centralWidget()));
        auto* hint = m_window->findChild<DropHint*>();
        QVERIFY(hint->isVisible() && hint->what().contains(QLatin1String("notes.pdf")));
        drag.dropOn(*m_window->centralWidget());
        QVERIFY(!hint->isVisible() && !sheet());
        QVERIFY2(told.join(' ').contains(QLatin1String("A run cannot start from notes.pdf")),
                 qPrintable(told.join('|')));
    }

    void homeOpensAFolderOfImages_data() {
        QTest::addColumn<bool>("byTile");
        QTest::newRow("by its key") << false;
        QTest::newRow("by its tile") << true;
    }
    void homeOpensAFolderOfImages() {
        QFETCH(bool, byTile);
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        const QString images = makeImages(QStringLiteral("leaves"));
        QPushButton* tile = nullptr;
        for (auto* each : m_window->homePage()->findChildren<QPushButton*>())
            if (each->isVisible() && each->text().startsWith(QLatin1String("Choose a folder"))) tile = each;
        QVERIFY(tile);
        if (byTile) QTest::mouseClick(tile, Qt::LeftButton);
        else QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QFileDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = m_window->findChild<QFileDialog*>()) && dialog->isVisible());
        dialog->setDirectory(m_folder.path());
        dialog->selectFile(images);
        static_cast<QDialog*>(dialog)->accept();
        QTRY_VERIFY_WITH_TIMEOUT(sheet() && sheet()->form(), 20000);
        QCOMPARE(heldBy(*sheet(), "Folder"), images);
    }

    // What only the worker finds out is at its field, in the form's words, and Start waits for it.
    // Feature: the New run sheet says what a worker refuses at its field, in the form's words and whole; shows nothing
    // stale; fits small windows.
    void theWorkersErrorsAreAtTheirFields_data() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("field"); // where it is said
        QTest::addColumn<QString>("typedInto");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("nothing given") << "images"
                                       << "Folder"
                                       << ""
                                       << ""
                                       << "is missing; set it to a folder";
        QTest::newRow("no such folder") << "images"
                                        << "Folder"
                                        << "Folder"
                                        << "/nowhere/at/all"
                                        << "/nowhere/at/all";
        QTest::newRow("no such table") << "csv"
                                       << "File"
                                       << "File"
                                       << "/nowhere.csv"
                                       << "/nowhere.csv";
        QTest::newRow("a cell of the table") << "csv"
                                             << "File"
                                             << "File"
                                             << "%1"
                                             << "line 3";
        QTest::newRow("no such column") << "csv"
                                        << "Target"
                                        << "Target"
                                        << "colour"
                                        << "has no column \"colour\"";
    }
    void theWorkersErrorsAreAtTheirFields() {
        QFETCH(QString, dataset);
        QFETCH(QString, field);
        QFETCH(QString, typedInto);
        QFETCH(QString, typed);
        QFETCH(QString, said);
        openSheet();
        choose(qPrintable(dataset));
        if (typed == QLatin1String("%1")) refuseEmptyCells();
        const QString broken = written(QStringLiteral("broken.csv"), "a,b,c\n1,2,x\n1,,y\n");
        const QString good = written(QStringLiteral("good.csv"), "a,b,c\n1,2,x\n1,3,y\n3,1,x\n4,2,y\n");
        const auto type = [this](const QString& into, const QString& text) {
            auto* edit = test::named<UnitEdit>(*sheet(), into);
            QVERIFY(edit);
            edit->selectAll();
            QTest::keyClicks(edit, text);
        };
        if (typedInto == QLatin1String("Target")) type(QStringLiteral("File"), good);
        if (!typedInto.isEmpty()) type(typedInto, typed == QLatin1String("%1") ? broken : typed);
        const auto atField = [&] { return errorOf(*sheet(), qPrintable(field)); };
        QTRY_VERIFY2_WITH_TIMEOUT(atField().contains(said), qPrintable(atField() + "|" + sheet()->reason()), 30000);
        QVERIFY2(!sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()));
        const QString reason = sheet()->reason();
        QVERIFY2(reason.startsWith(field) && reason.contains(said), qPrintable(reason));
        for (const QString& all : {reason, atField()})
            QVERIFY2(!all.contains(QLatin1String("trainyard-worker")) && !all.contains(QLatin1String("dataset.params")),
                     qPrintable(all));
        // All of it can be read: lines as they are needed, nothing cut.
        for (const auto* label : sheet()->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(said))
                QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        // It is gone once it is mended.
        if (dataset == QLatin1String("csv")) {
            type(QStringLiteral("File"), good);
            if (typedInto == QLatin1String("Target")) type(QStringLiteral("Target"), QStringLiteral("c"));
            QTRY_VERIFY_WITH_TIMEOUT(atField().isEmpty(), 30000);
        }
    }

    // Optimizer and learning rate follow the model until somebody has chosen them.
    // Feature: optimizer and learning rate of a new run follow its model until somebody has chosen them. Also in
    // spec_rules_test, torch_preview_test.
    void theOptimizerFollowsTheModel() {
        openSheet();
        const auto optimizer = [this] {
            return test::named<QComboBox>(*sheet(), QStringLiteral("Optimizer"))->currentData().toString();
        };
        const auto lr = [this] { return heldBy(*sheet(), "Learning rate"); };
        const auto pick = [this](const char* title, const char* entry) {
            auto* combo = test::named<QComboBox>(*sheet(), QLatin1String(title));
            combo->setCurrentIndex(combo->findData(QLatin1String(entry)));
            Q_EMIT combo->activated(combo->currentIndex());
        };
        const auto says = [this](const char* words) {
            for (const auto* label : sheet()->form()->findChildren<QLabel*>())
                if (label->isVisible() && label->text() == QLatin1String(words)) return true;
            return false;
        };
        const QString sgd = QStringLiteral("sgd"), adamw = QStringLiteral("adamw");
        QCOMPARE(std::pair(optimizer(), lr()), std::pair(sgd, QStringLiteral("0.1")));
        pick("Architecture", "vit");
        QCOMPARE(std::pair(optimizer(), lr()), std::pair(adamw, QStringLiteral("0.0005")));
        QVERIFY(says("Vision transformer is usually trained with AdamW and a learning rate of 0.0005."));
        pick("Architecture", "mlp"); // back to what trains the others
        QCOMPARE(std::pair(optimizer(), lr()), std::pair(sgd, QStringLiteral("0.1")));
        QCOMPARE(heldBy(*sheet(), "Momentum"), QStringLiteral("0.9"));
        pick("Architecture", "lstm");
        QCOMPARE(std::pair(optimizer(), lr()), std::pair(adamw, QStringLiteral("0.005")));
        typeInto("Learning rate", "0.003"); // from now on it is somebody's choice
        pick("Architecture", "vit");
        QCOMPARE(std::pair(optimizer(), lr()), std::pair(adamw, QStringLiteral("0.003")));
        pick("Architecture", "mlp");
        QCOMPARE(std::pair(optimizer(), lr()), std::pair(adamw, QStringLiteral("0.003")));
    }

    void aTextIsTrainedAsItsModelUsuallyIs_data() {
        QTest::addColumn<bool>("open"); // the sheet is, and its settings stay
        QTest::newRow("dropped on the window") << false;
        QTest::newRow("dropped on the sheet") << true;
    }
    void aTextIsTrainedAsItsModelUsuallyIs() {
        QFETCH(bool, open);
        const QString text = written(QStringLiteral("story.txt"), QByteArray("Once upon a time. ").repeated(900));
        if (open) openSheet();
        m_window->openSource({TrainingSource::Text, text});
        QTRY_VERIFY_WITH_TIMEOUT(sheet()->form() && sheet()->form()->isVisible(), 20000);
        QCOMPARE(heldBy(*sheet(), "File"), text);
        QCOMPARE(test::named<QComboBox>(*sheet(), QStringLiteral("Architecture"))->currentData().toString(),
                 QStringLiteral("gpt"));
        QCOMPARE(test::named<QComboBox>(*sheet(), QStringLiteral("Optimizer"))->currentData().toString(),
                 QStringLiteral("adamw"));
        QCOMPARE(heldBy(*sheet(), "Learning rate"), QStringLiteral("0.002"));
        if (!open) QCOMPARE(heldBy(*sheet(), "Length"), QStringLiteral("400")); // steps
    }

    void batchAndLengthFollowTheData() {
        openSheet();
        const auto shown = [this] {
            const auto* kind = test::named<QComboBox>(*sheet(), QStringLiteral("Unit of length"));
            return QStringList{heldBy(*sheet(), "Batch"), heldBy(*sheet(), "Length"), kind->currentText()};
        };
        const QStringList usual = shown();
        choose("csv"); // data of one's own may be few
        QCOMPARE(shown(), (QStringList{"32", "5", "epochs"}));
        auto* task = test::named<SegmentedControl>(*sheet(), QStringLiteral("Task"));
        task->setCurrentIndex(2); // language
        choose("text");
        QCOMPARE(shown(), (QStringList{"32", "400", "steps"}));
        task->setCurrentIndex(0);
        QCOMPARE(shown(), usual);
        typeInto("Length", "7"); // somebody's choice
        choose("images");
        QCOMPARE(shown(), (QStringList{usual[0], "7", usual[2]}));
    }

    // The error goes by itself once the data is mended on the disk, however that is done.
    void whatIsMendedOnTheDiskIsReadAgain_data() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("broken"); // the file that is wrong; empty: it is not there yet
        QTest::addColumn<bool>("replaced");  // by another file of the name, as editors do
        QTest::newRow("a cell, written in place") << "csv" << "File" << "data.csv" << false;
        QTest::newRow("a cell, in a new file") << "csv" << "File" << "data.csv" << true;
        QTest::newRow("a table that comes late") << "csv" << "File" << "" << false;
        QTest::newRow("a picture, in a new file") << "images" << "Folder" << "pictures/cat/0.png" << true;
        QTest::newRow("a picture, written in place") << "images" << "Folder" << "pictures/cat/0.png" << false;
    }
    void whatIsMendedOnTheDiskIsReadAgain() {
        QFETCH(QString, dataset);
        QFETCH(QString, field);
        QFETCH(QString, broken);
        QFETCH(bool, replaced);
        const QString images = makeImages(QStringLiteral("pictures"));
        QFile whole(images + QStringLiteral("/dog/0.png"));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const bool isTable = dataset == QLatin1String("csv");
        const QByteArray good = isTable ? QByteArray("a,b,c\n1,2,x\n1,3,y\n3,1,x\n4,2,y\n") : whole.readAll();
        const QString file = m_folder.filePath(isTable ? QStringLiteral("data.csv") : broken);
        QFile::remove(file);
        if (!broken.isEmpty()) QCOMPARE(written(broken, isTable ? "a,b,c\n1,2,x\n1,oops,y\n" : "no picture"), file);
        openSheet();
        choose(qPrintable(dataset));
        typeInto(qPrintable(field), qPrintable(isTable ? file : images));
        typeInto("Batch", "2"); // the samples are few
        const auto said = [&] { return errorOf(*sheet(), qPrintable(field)); };
        QTRY_VERIFY_WITH_TIMEOUT(!said().isEmpty() && button("Check again"), 30000);
        button("Check again")->click(); // nothing has changed: it is said again
        waitForVerdict();
        QTRY_VERIFY_WITH_TIMEOUT(!said().isEmpty() && button("Check again"), 30000);
        QTest::qWait(100);
        if (replaced) {
            const QString beside = written(QStringLiteral("beside"), good);
            QCOMPARE(std::rename(qPrintable(beside), qPrintable(file)), 0);
        } else {
            QFile now(file);
            QVERIFY(now.open(QIODevice::WriteOnly) && now.write(good) == good.size());
        }
        QTRY_VERIFY2_WITH_TIMEOUT(said().isEmpty() && !button("Check again"), qPrintable(said()), 30000);
        QTRY_VERIFY2_WITH_TIMEOUT(sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()), 30000);
    }

    // One empty cell or one broken picture is a choice, not an end.
    void whatIsWrongInTheDataIsAChoice_data() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("choice"); // the button
        QTest::addColumn<QString>("path");   // of the run file, which it sets
        QTest::addColumn<QString>("value");
        QTest::newRow("rows left out") << "csv" << "File" << "Leave rows with empty cells out"
                                       << "dataset.params.missing" << "drop";
        QTest::newRow("cells filled in") << "csv" << "File" << "Fill empty cells in" << "dataset.params.missing"
                                         << "fill";
        QTest::newRow("a column with holes left out") << "csv" << "File" << "Leave column b out"
                                                      << "dataset.params.ignore" << "b";
        QTest::newRow("a column of many words left out") << "names.csv" << "File" << "Leave column Name out"
                                                         << "dataset.params.ignore" << "Name";
        QTest::newRow("a column of a thousand words left out") << "many.csv" << "File" << "Leave column full, name out"
                                                               << "dataset.params.ignore" << "#2"; // it has a comma
        QTest::newRow("a word among numbers left out") << "mixed.csv" << "File" << "Leave column a out"
                                                       << "dataset.params.ignore" << "a";
        QTest::newRow("images left out") << "images" << "Folder" << "Leave unreadable images out"
                                         << "data.onError" << "skip";
    }
    void whatIsWrongInTheDataIsAChoice() {
        QFETCH(QString, dataset);
        QFETCH(QString, field);
        QFETCH(QString, choice);
        QFETCH(QString, path);
        const QString images = makeImages(QStringLiteral("pictures"));
        QVERIFY(!written(QStringLiteral("pictures/cat/7.png"), "no picture").isEmpty());
        const QString table = written(QStringLiteral("holes.csv"),
                                      "a,b,c\n1,2,x\n1,,y\n3,1,x\n4,2,y\n2,5,x\n2,3,y\n4,4,x\n5,2,y\n6,2,x\n7,1,y\n");
        QByteArray names("a,Name,c\n"), many("a,\"full, name\",c\n");
        for (int i = 0; i < 1200; ++i) {
            const QByteArray row =
                QByteArray::number(i % 7) + ",person " + QByteArray::number(i) + (i % 2 ? ",x\n" : ",y\n");
            if (i < 150) names += row;
            many += row;
        }
        const QMap<QString, QString> files{
            {QStringLiteral("csv"), table},
            {QStringLiteral("images"), images},
            {QStringLiteral("names.csv"), written(QStringLiteral("names.csv"), names)},
            {QStringLiteral("many.csv"), written(QStringLiteral("many.csv"), many)},
            {QStringLiteral("mixed.csv"),
             written(QStringLiteral("mixed.csv"),
                     "a,b,c\n1,2,x\nfew,1,y\n3,1,x\n4,2,y\n2,5,x\n2,3,y\n4,4,x\n5,2,y\n")}};
        openSheet();
        choose(dataset == QLatin1String("images") ? "images" : "csv");
        if (dataset == QLatin1String("csv")) refuseEmptyCells();
        typeInto(qPrintable(field), qPrintable(files.value(dataset)));
        typeInto("Batch", "2"); // the samples are few
        QTRY_VERIFY2_WITH_TIMEOUT(button(qPrintable(choice)), qPrintable(sheet()->reason()), 30000);
        QVERIFY(!sheet()->startButton()->isEnabled());
        QVERIFY(button("1 to fix")); // in full it stands at the field
        QVERIFY2(!sheet()->reason().contains(QLatin1String("--set")), qPrintable(sheet()->reason()));
        if (auto* fill = button("Fill empty cells in")) // which loses nothing, comes first
            QVERIFY(fill->y() < button("Leave rows with empty cells out")->y());
        button(qPrintable(choice))->setFocus();
        QTest::keyClick(button(qPrintable(choice)), Qt::Key_Space);
        QTRY_VERIFY2_WITH_TIMEOUT(sheet()->startButton()->isEnabled() && !button("Check again"),
                                  qPrintable(sheet()->reason()), 30000);
        QVERIFY(errorOf(*sheet(), qPrintable(field)).isEmpty());
        QVERIFY(QApplication::focusWidget()); // stays where it was
        QCOMPARE(QApplication::focusWidget()->accessibleName(), field);
        const auto settings = spec::flatSettings(spec::toJson(sheet()->form()->read().spec));
        const auto set = std::find_if(settings.begin(), settings.end(),
                                      [&](const auto& setting) { return setting.first == path.toStdString(); });
        QVERIFY(set != settings.end());
        QTEST(QString::fromStdString(set->second), "value");
    }

    // What fits is offered, for the batch of all workers and for that of each.
    void aBatchOfMoreThanThereIsIsAButtonAway_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("offered");
        QTest::addColumn<QString>("batch");
        QTest::newRow("128 of 64") << 80 << "global" << "128" << "Use a batch of 64" << "64";
        QTest::newRow("128 of 52") << 66 << "global" << "128" << "Use a batch of 32" << "32";
        QTest::newRow("96 of 20") << 25 << "global" << "96" << "Use a batch of 12" << "12";
        QTest::newRow("of each worker") << 80 << "per worker" << "100" << "Use a batch of 25 per worker" << "25";
    }
    void aBatchOfMoreThanThereIsIsAButtonAway() {
        QFETCH(int, rows);
        QFETCH(QString, kind);
        QFETCH(QString, typed);
        QFETCH(QString, offered);
        QByteArray table("a,b,c\n");
        for (int i = 0; i < rows; ++i)
            table += QByteArray::number(i * 7 % 11) + ',' + QByteArray::number(i * 5 % 13) + (i % 2 ? ",x\n" : ",y\n");
        openSheet();
        choose("csv");
        typeInto("File", qPrintable(written(QStringLiteral("few.csv"), table)));
        typeInto("Workers", "2");
        for (auto* combo : sheet()->form()->findChildren<QComboBox*>())
            if (const int at = combo->findText(kind); at >= 0) {
                combo->setCurrentIndex(at);
                Q_EMIT combo->activated(at);
            }
        typeInto("Batch", qPrintable(typed));
        QTRY_VERIFY2_WITH_TIMEOUT(button(qPrintable(offered)), qPrintable(sheet()->reason()), 30000);
        QTest::keyClick(button(qPrintable(offered)), Qt::Key_Space);
        QTRY_VERIFY2_WITH_TIMEOUT(sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()), 30000);
        QTEST(heldBy(*sheet(), "Batch"), "batch");
        QCOMPARE(QApplication::focusWidget()->accessibleName(), QStringLiteral("Batch"));
        typeInto("Batch", "0"); // another error: the offer was not for it
        QVERIFY(!errorOf(*sheet(), "Batch").isEmpty() && !button(qPrintable(offered)));
    }

    // What is left may be something else than the data: that is no plain "Yes".
    void muchThatIsLeftOutIsAWarning_data() {
        QTest::addColumn<int>("holes"); // in 100 rows
        QTest::addColumn<QString>("verdict");
        QTest::newRow("a fifth") << 20 << "Yes";
        QTest::newRow("more than a fifth") << 21 << "Yes, with 1 warning";
        QTest::newRow("most of it") << 80 << "Yes, with 1 warning";
    }
    void muchThatIsLeftOutIsAWarning() {
        QFETCH(int, holes);
        QByteArray table("a,b,c\n");
        for (int i = 0; i < 100; ++i)
            table += QByteArray::number(i * 7 % 11) + ',' +
                     (i < holes ? QByteArray() : QByteArray::number(i * 5 % 13)) + (i % 2 ? ",x\n" : ",y\n");
        openSheet();
        choose("csv");
        refuseEmptyCells();
        typeInto("File", qPrintable(written(QStringLiteral("holed.csv"), table)));
        typeInto("Workers", "1");
        typeInto("Batch", "4");
        const char* leave = "Leave rows with empty cells out";
        QTRY_VERIFY2_WITH_TIMEOUT(button(leave), qPrintable(sheet()->reason()), 30000);
        button(leave)->click();
        waitForVerdict();
        QVERIFY2(sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()));
        QStringList chips;
        for (const auto* chip : sheet()->findChildren<StatusChip*>()) chips << chip->accessibleName();
        QFETCH(QString, verdict);
        QVERIFY2(chips.contains(verdict), qPrintable(chips.join(QLatin1Char('|'))));
        for (const auto* label : sheet()->findChildren<QLabel*>()) // also what is noted of the data
            QVERIFY2(!label->text().contains(QLatin1String("dataset.params")), qPrintable(label->text()));
    }

    // A warning that has no room beside the others has lines of its own; what is cut elsewhere is in its tip.
    void aLongWarningIsReadInFull_data() {
        QTest::addColumn<RunCheck::State>("state");
        QTest::addColumn<bool>("hasLines");
        QTest::newRow("a warning") << RunCheck::Wait << true;
        QTest::newRow("an error") << RunCheck::Wrong << true;
        QTest::newRow("a plain yes") << RunCheck::Ok << false;
    }
    void aLongWarningIsReadInFull() {
        QFETCH(RunCheck::State, state);
        QFETCH(bool, hasLines);
        const QString detail = QStringLiteral("the class \"circle\" has 5 images more, and the class \"triangle\" that "
                                              "it was trained on is not among them any more; it learns what is there");
        const QList<RunCheck> checks{{RunCheck::Ok, QStringLiteral("Memory"), QStringLiteral("fits")},
                                     {state, QStringLiteral("Checkpoint"), detail},
                                     {RunCheck::Ok, QStringLiteral("Disk"), QStringLiteral("free")}};
        for (const qreal width : {320.0, 690.0}) {
            const QList<QRectF> areas = checkAreas(width, checks);
            QCOMPARE(areas.size(), checks.size());
            QCOMPARE(areas[1].width() == width, hasLines);
            QCOMPARE(areas[1].height() > areas[0].height(), hasLines);
            QCOMPARE(isCheckCut(checks[1], areas[1]), !hasLines);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < i; ++j) QVERIFY(!areas[i].intersects(areas[j]));
        }
    }

    // Whether the checkpoint fits is known before Start is pressed.
    void aForkKnowsWhetherItsCheckpointFits() {
        spec::RunSpec spec;
        spec.name = "parent";
        spec.dataset = {"spirals", {{"samples", std::int64_t{600}}}};
        spec.model = {"mlp", {{"hidden", std::vector<double>{8}}}};
        spec.optimizer = {"sgd", {{"lr", 0.01}}};
        spec.epochs = 1;
        spec.scaling.workers = 1;
        auto& bench = m_window->bench();
        QString parent;
        const auto keepIn = [](QString& id) { return [&id](const QString& run) { id = run; }; };
        connect(&bench.actions, &RunActions::runStarted, this, keepIn(parent), Qt::SingleShotConnection);
        bench.actions.start(spec);
        QTRY_VERIFY_WITH_TIMEOUT(!parent.isEmpty() && bench.feed.run(parent), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!bench.feed.run(parent)->active(), 60000);
        QTRY_VERIFY(!bench.feed.checkpointsHere(parent).empty());
        m_window->openFork(parent, -1);
        QTRY_VERIFY_WITH_TIMEOUT(sheet()->form() && sheet()->form()->isVisible(), 20000);
        waitForVerdict();
        QVERIFY2(sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()));
        QCOMPARE(heldBy(*sheet(), "Length"), QStringLiteral("2")); // epochs, one of them trained
        typeInto("Hidden layers", "[8,8]");
        QTRY_VERIFY2_WITH_TIMEOUT(sheet()->reason().startsWith(QStringLiteral("The checkpoint does not fit")),
                                  qPrintable(sheet()->reason()), 30000);
        QVERIFY(!sheet()->startButton()->isEnabled());
        QVERIFY(button("Start with new weights"));
        button("Start with new weights")->click();
        QTRY_VERIFY2_WITH_TIMEOUT(sheet()->startButton()->isEnabled() && !button("Start with new weights"),
                                  qPrintable(sheet()->reason()), 30000);
        auto* from = test::named<QComboBox>(*sheet(), QStringLiteral("Start from"));
        const auto choose = [from](int index) {
            from->setCurrentIndex(index);
            Q_EMIT from->activated(index);
        };
        QCOMPARE(from->currentText(), QStringLiteral("New weights"));
        QCOMPARE(heldBy(*sheet(), "Length"), QStringLiteral("1"));
        choose(0); // the checkpoint again
        QCOMPARE(heldBy(*sheet(), "Length"), QStringLiteral("2"));
        QTRY_VERIFY_WITH_TIMEOUT(!sheet()->startButton()->isEnabled() && button("Start with new weights"), 30000);
        typeInto("Hidden layers", "[8]");
        QTRY_VERIFY2_WITH_TIMEOUT(sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()), 30000);
        typeInto("Length", "3"); // from now on it is somebody's choice
        choose(from->count() - 1);
        QCOMPARE(heldBy(*sheet(), "Length"), QStringLiteral("3"));
        QTRY_VERIFY2_WITH_TIMEOUT(sheet()->startButton()->isEnabled(), qPrintable(sheet()->reason()), 30000);
        QString fork;
        connect(&bench.actions, &RunActions::runStarted, this, keepIn(fork), Qt::SingleShotConnection);
        sheet()->startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!fork.isEmpty() && bench.feed.run(fork), 30000);
        QCOMPARE(QString::fromStdString(bench.feed.run(fork)->row.forkedFrom), parent); // with new weights, too
        QCOMPARE(bench.feed.run(fork)->row.forkedStep, std::int64_t{-1});
        QTRY_VERIFY_WITH_TIMEOUT(!bench.feed.run(fork)->active(), 60000);
    }

    void nothingStaleIsShownWhileTheWorkerIsAsked() {
        auto* opened = openSheet();
        waitForVerdict();
        const auto words = [opened] {
            QStringList shown;
            for (const auto* label : opened->findChildren<QLabel*>())
                if (label->isVisible()) shown << label->text();
            for (const auto* note : opened->findChildren<NumberLabel*>())
                if (note->isVisible()) shown << note->text();
            for (const auto* chip : opened->findChildren<StatusChip*>()) shown << chip->accessibleName();
            return shown;
        };
        QVERIFY2(words().contains(QStringLiteral("Yes")), qPrintable(words().join('|')));
        choose("glyphs");
        const QStringList asked = words(); // at once
        QVERIFY2(asked.contains(QStringLiteral("Checking")) && !asked.contains(QStringLiteral("Yes")),
                 qPrintable(asked.join('|')));
        QVERIFY2(asked.contains(QStringLiteral("checking…")), qPrintable(asked.join('|')));
        QVERIFY2(asked.filter(QStringLiteral("parameters")).isEmpty(), qPrintable(asked.join('|')));
        waitForVerdict();
        QVERIFY(words().contains(QStringLiteral("Yes")));
    }

    // Feature: what was not started is offered again; a fork marks what changed and resets it. Also in
    // pages_models_test.
    void whatWasNotStartedIsOfferedAgain() {
        auto* opened = openSheet();
        QVERIFY(!button("Restore")); // nothing is kept yet
        typeInto("Length", "17");
        typeInto("Workers", "1");
        const auto settings = [](RunForm& form) {
            spec::RunSpec spec = form.read().spec;
            spec.name.clear(); // stands in the sheet's head
            return QString::fromStdString(spec::toJson(spec));
        };
        const QString made = settings(*opened->form());
        const QString name = test::text(*opened, "Name of the run");
        QTest::keyClick(opened, Qt::Key_Escape);
        QTRY_VERIFY(!sheet());
        m_window.reset(); // also in another session
        openWindow();
        opened = openSheet();
        QVERIFY(test::text(*opened, "Length") != QLatin1String("17"));
        QPushButton* restore = button("Restore");
        QVERIFY(restore && restore->isVisible());
        restore->setFocus();
        QTest::keyClick(restore, Qt::Key_Space);
        QCOMPARE(settings(*opened->form()), made);
        QCOMPARE(test::text(*opened, "Name of the run"), name);
        QVERIFY(!button("Restore"));
        QTest::keyClick(opened, Qt::Key_Escape);
        QTRY_VERIFY(!sheet());
        openSheet();
        QVERIFY(button("Discard"));
        button("Discard")->click();
        QVERIFY(!button("Restore"));
        QTest::keyClick(sheet(), Qt::Key_Escape);
        QTRY_VERIFY(!sheet());
        openSheet();
        QVERIFY(!button("Restore"));
    }

    void aSweepThatWasNotStartedIsKept() {
        auto* opened = m_window->openNewRun({}, true);
        QTRY_VERIFY_WITH_TIMEOUT(opened->form() && opened->form()->isVisible(), 20000);
        typeInto("Length", "3");
        typeInto("Learning rate: to", "0.5");
        typeInto("Batch", "0"); // what is wrong at the end does not lose the rest
        QTest::keyClick(opened, Qt::Key_Escape);
        QTRY_VERIFY(!sheet());
        opened = openSheet();
        QVERIFY(button("Restore"));
        button("Restore")->click();
        const auto state = opened->form()->read();
        QVERIFY2(state.sweep, qPrintable(state.errors.join('|')));
        QCOMPARE(test::text(*opened, "Learning rate: to"), QStringLiteral("0.5"));
        QCOMPARE(state.spec.epochs.value_or(0), 3);
    }

    // Feature: the sheet shows what augmentation makes of a picture, at once; and what is frozen, with a padlock each.
    void drawsAndPadlocksFollowTheSettings() {
        auto* opened = openSheet();
        choose("glyphs");
        waitForVerdict();
        auto* card = opened->findChild<SamplesCard*>();
        auto* views = test::named<SegmentedControl>(*opened, QStringLiteral("Samples"));
        QTRY_VERIFY_WITH_TIMEOUT(views && views->isVisible(), 20000);
        QVERIFY(!card->isWide() && !card->draws());
        views->setCurrentIndex(SamplesCard::Augmented);
        QVERIFY(card->isWide());
        QTRY_VERIFY_WITH_TIMEOUT(card->draws(), 20000);
        QCOMPARE(card->draws()->changed.size(), 24);
        QVERIFY(!card->draws()->changes && card->draws()->changed[3] == card->draws()->picture);
        spec::RunSpec spec = opened->form()->read().spec;
        spec.model = {"convnet", {}};
        spec.augment.cutmix = 1;
        spec.finetune.freeze = {"body"};
        opened->form()->change(spec);
        Q_EMIT opened->form()->changed();
        QTRY_VERIFY_WITH_TIMEOUT(card->draws()->changes, 20000);
        QCOMPARE(card->draws()->batch.size(), 12);
        QVERIFY(std::ranges::any_of(card->draws()->batch, [](const auto& each) { return each.labels.size() == 2; }));
        // Its padlocks: all but the head are closed; opening one writes the others.
        auto* locks = opened->form()->weights()->locks();
        QTRY_VERIFY_WITH_TIMEOUT(locks->isVisible() && locks->blocks().size() == 2, 20000);
        QVERIFY(locks->locks()[0]->isChecked() && !locks->locks()[1]->isChecked());
        const auto countsOf = [locks](const QList<Preview::Block>& blocks) { // that it lists
            return std::ranges::all_of(blocks, [locks](const Preview::Block& block) {
                return std::ranges::any_of(locks->findChildren<NumberLabel*>(), [&](const NumberLabel* each) {
                    return each->text() == countText(static_cast<double>(block.parameters));
                });
            });
        };
        auto wider = locks->blocks();
        QVERIFY(countsOf(wider));
        for (auto& block : wider) block.parameters += 1000; // as of the same layers with other data
        const auto kept = locks->blocks();
        locks->setBlocks(wider);
        QVERIFY(countsOf(wider));
        locks->setBlocks(kept);
        locks->locks()[0]->click();
        QCOMPARE(test::text(*opened, "Freeze"), QString());
        QVERIFY(!locks->locks()[0]->isChecked());
        locks->locks()[1]->click();
        QCOMPARE(test::text(*opened, "Freeze"), QStringLiteral("fc"));
        // What does nothing for the task and the model has no row.
        const auto shows = [opened](const char* path) {
            return !opened->form()->advanced()->field(QLatin1String(path))->parentWidget()->isHidden();
        };
        QVERIFY(shows("data.balance") && shows("augment.mixup") && !shows("tuning.recompute"));
        opened->form()->setTask("regression");
        QVERIFY(!shows("data.balance") && !shows("augment.mixup"));
        QVERIFY(shows("augment.cutmix")); // it is set, and refused there
    }

    void aForkMarksWhatChangedAndResetsIt() {
        testing::SampleRun run{QStringLiteral("source"), QStringLiteral("finished")};
        const auto store = *store::Store::open(m_window->bench().feed.workspace());
        const auto id = QString::fromStdString(testing::addRun(*store, m_window->bench().feed.workspace(), run));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().feed.run(id), 20000);
        m_window->bench().selection.show(id);
        auto* opened = m_window->openFork(id, -1);
        QTRY_VERIFY_WITH_TIMEOUT(opened && opened->form() && opened->form()->isVisible(), 20000);
        const auto changed = [opened] {
            QStringList paths;
            for (const auto& change : opened->changes()->changes()) paths << change.path;
            return paths;
        };
        const QStringList before = changed(); // at most its new length
        QVERIFY2(before.isEmpty() || before == QStringList{QStringLiteral("length")}, qPrintable(before.join('|')));
        typeInto("Learning rate", "0.025");
        typeInto("Batch", "32");
        QVERIFY2(changed().contains(QStringLiteral("optimizer.lr")) && changed().contains(QStringLiteral("batch")),
                 qPrintable(changed().join('|')));
        QVERIFY(opened->changes()->isVisible());
        QCOMPARE(markedLabels(), (QStringList{QStringLiteral("Batch"), QStringLiteral("Learning rate")} +
                                  (before.isEmpty() ? QStringList() : QStringList{QStringLiteral("Length")})));
        QToolButton* reset = nullptr;
        const auto find = [&] {
            for (auto* each : opened->changes()->findChildren<QToolButton*>())
                if (each->isVisible() && each->accessibleName().startsWith(QLatin1String("Reset Learning rate")))
                    reset = each;
            return reset != nullptr;
        };
        QTRY_VERIFY(find());
        QCOMPARE(reset->accessibleName(), QStringLiteral("Reset Learning rate to 0.1"));
        reset->setFocus();
        QTest::keyClick(reset, Qt::Key_Space);
        QCOMPARE(test::text(*opened, "Learning rate"), QStringLiteral("0.1"));
        QVERIFY(!changed().contains(QStringLiteral("optimizer.lr")) && changed().contains(QStringLiteral("batch")));
        QCOMPARE(test::text(*opened, "Batch"), QStringLiteral("32"));
        QVERIFY(!markedLabels().contains(QStringLiteral("Learning rate")));
    }

    // What trains, but not well, is no plain "Yes".
    // Feature: the sheet's verdict counts warnings; a fork's time is that of what is left to train. Also in
    // fork_time_test, run_checks_test.
    void aWarningIsPartOfTheVerdict() {
        auto* opened = openSheet();
        typeInto("Workers", "64");
        const auto verdict = [opened] {
            for (const auto* chip : opened->findChildren<StatusChip*>())
                if (chip->accessibleName().startsWith(QLatin1String("Yes"))) return chip->accessibleName();
            return QString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(verdict(), QStringLiteral("Yes, with 1 warning"), 30000);
        QVERIFY2(opened->startButton()->isEnabled(), qPrintable(opened->reason()));
        typeInto("Workers", "1");
        QTRY_COMPARE_WITH_TIMEOUT(verdict(), QStringLiteral("Yes"), 30000);
    }

    void anErrorHasTheWidthOfItsRow() {
        auto* opened = openSheet();
        auto* batch = test::named<UnitEdit>(*opened, QStringLiteral("Batch"));
        batch->selectAll();
        QTest::keyClicks(batch, QStringLiteral("0"));
        const Label* shown = nullptr;
        for (auto* label : opened->form()->findChildren<Label*>())
            if (label->role() == TextRole::SmallError && label->isVisible()) shown = label;
        QVERIFY(shown);
        QTRY_VERIFY2(shown->width() > 250, qPrintable(QString::number(shown->width())));
        QVERIFY2(shown->text().startsWith(QLatin1String("Batch: must be")), qPrintable(shown->text()));
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    NewRunSheetTest test;
    return trainyard::test::runInWindow(test, argc, argv, QStringLiteral("trainyard-new-run-sheet-test"));
}
#include "new_run_sheet_test.moc"
