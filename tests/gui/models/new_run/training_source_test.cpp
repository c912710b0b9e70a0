// SPDX-License-Identifier: GPL-3.0-or-later
// What a file or folder stands for when it is dropped, and the run that begins with it.
#include "engine/run/start/quick_head.h"
#include "tests/unit/store/zip_builder.h"
#include "ui/models/data/bad_files.h"
#include "ui/models/new_run/drop_use.h"
#include "ui/models/new_run/layer_freeze.h"
#include "ui/models/new_run/weights_look.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace trainyard;
using namespace trainyard::ui;

class TrainingSourceTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString made(const QString& name, const QByteArray& text = "x") {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) qFatal("no file");
        return file.fileName();
    }
    static spec::Entry entry(const char* name, std::vector<std::string> tasks = {}) {
        return {.name = name, .title = name, .help = "", .tasks = std::move(tasks)};
    }
    static spec::Catalog catalog() {
        spec::Catalog all;
        all.datasets = {entry("fashion-mnist", {"classification"}), entry("csv", {"classification", "regression"}),
                        entry("text", {"language"}), entry("images", {"classification"})};
        all.models = {entry("mlp", {"classification", "regression"}), entry("gpt", {"language"}), entry("torchscript")};
        all.losses = {entry("cross-entropy", {"classification", "language"}), entry("mse", {"regression"})};
        return all;
    }

private Q_SLOTS:
    void namesSayWhatFilesAre_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("kind"); // -1: nothing
        QTest::newRow("run file") << "run.json" << int(TrainingSource::RunFile);
        QTest::newRow("run file by its own suffix") << "run.trainyard" << int(TrainingSource::RunFile);
        QTest::newRow("table") << "rows.csv" << int(TrainingSource::Table);
        QTest::newRow("table, capitals") << "ROWS.CSV" << int(TrainingSource::Table);
        QTest::newRow("table, packed") << "rows.csv.gz" << int(TrainingSource::Table);
        QTest::newRow("tabs") << "rows.tsv" << int(TrainingSource::Table);
        QTest::newRow("NumPy's table") << "rows.npy" << int(TrainingSource::Table);
        QTest::newRow("pictures in an archive") << "birds-000001.tar" << int(TrainingSource::Images);
        QTest::newRow("text") << "play.txt" << int(TrainingSource::Text);
        QTest::newRow("weights") << "model.pth" << int(TrainingSource::Weights);
        QTest::newRow("safetensors") << "model.safetensors" << int(TrainingSource::Weights);
        QTest::newRow("TorchScript") << "model.ts" << int(TrainingSource::Script);
        QTest::newRow("plug-in") << "libmodel.so" << int(TrainingSource::Plugin);
        QTest::newRow("something else") << "notes.pdf" << -1;
        QTest::newRow("without a suffix") << "csv" << -1;
    }
    void namesSayWhatFilesAre() {
        QFETCH(QString, name);
        QFETCH(int, kind);
        const auto source = trainingSourceAt(made(name));
        QCOMPARE(source ? int(source->kind) : -1, kind);
        QVERIFY(!trainingSourceAt(m_folder.filePath(QStringLiteral("not there/") + name)));
    }

    // Both kinds of archives have the same suffixes.
    void codeInAnArchiveMakesItTorchScript() {
        const auto kindOf = [this](const char* record) {
            const auto zip = QByteArray::fromStdString(test::zipOf({{record, "x"}}));
            return trainingSourceAt(made(QStringLiteral("model.pt"), zip))->kind;
        };
        QCOMPARE(kindOf("m/constants.pkl"), TrainingSource::Script);
        QCOMPARE(kindOf("m/data.pkl"), TrainingSource::Weights);
    }

    // Feature: a padlock of the New run sheet writes what is frozen.
    void aPadlockWritesWhatIsFrozen_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("frozen"); // the parts that are; one in part has a ~
        QTest::addColumn<QString>("pressed");
        QTest::addColumn<QString>("after");
        QTest::newRow("one") << "" << "" << "+conv1" << "conv1";
        QTest::newRow("another") << "conv1" << "conv1" << "+layer1.0" << "conv1, layer1.0";
        QTest::newRow("the last of the body") << "conv1, layer1.0" << "conv1 layer1.0" << "+layer1.1" << "body";
        QTest::newRow("out of the body") << "body" << "conv1 layer1.0 layer1.1" << "-layer1.1" << "conv1, layer1.0";
        QTest::newRow("out of a glob") << "layer1.*" << "layer1.0 layer1.1" << "-layer1.0" << "layer1.1";
        QTest::newRow("the last one") << "conv1" << "conv1" << "-conv1" << "";
        QTest::newRow("a part stays") << "*.bn1.*" << "~layer1.0" << "+conv1" << "conv1, *.bn1.*";
        QTest::newRow("all of a part") << "layer1.0.bn1" << "~layer1.0" << "+layer1.0" << "layer1.0";
        QTest::newRow("the head, too") << "body" << "conv1 layer1.0 layer1.1" << "+fc"
                                       << "conv1, layer1.0, layer1.1, fc";
    }
    void aPadlockWritesWhatIsFrozen() {
        QFETCH(QString, before);
        QFETCH(QString, frozen);
        QFETCH(QString, pressed);
        QFETCH(QString, after);
        const QStringList words = frozen.split(QLatin1Char(' '));
        QList<Preview::Block> blocks;
        for (const QString name : {"conv1", "layer1.0", "layer1.1", "fc"})
            blocks << Preview::Block{name, 10,
                                     words.contains(name)                      ? 10
                                     : words.contains(QLatin1Char('~') + name) ? 4
                                                                               : 0};
        QCOMPARE(freezeWith(before, blocks, QStringLiteral("fc"), pressed.mid(1), pressed.startsWith(QLatin1Char('+'))),
                 after);
    }

    // Feature: the sheet offers the model that dropped weights are of.
    void weightsNameTheirModel() {
        const auto found = readFittingModel(R"({"fits": true, "model": {"name": "resnet18",
            "params": {"stem": "imagenet"}, "sampleShape": [3, 224, 224]}})");
        QVERIFY(found);
        QCOMPARE(found->model.name, "resnet18");
        QCOMPARE(found->model.text("stem", ""), "imagenet");
        QCOMPARE(found->side, 224);
        QCOMPARE(readFittingModel(R"({"fits": true, "model": {"name": "gpt", "sampleShape": [128]}})")->side, 0);
    }
    // Bad inputs: answers about weights of no model, and what is no answer.
    void answersAboutNoWeights() {
        for (const char* bad : {R"({"fits": false, "model": {"name": "vit"}})", R"({"fits": true, "model": null})",
                                R"({"model": 3})", "[]", "", "no json"})
            QVERIFY2(!readFittingModel(bad), bad);
    }

    // Feature: a quick head trains the last layer alone, and a fork of it the whole.
    void aHeadAndThenTheWhole() {
        spec::RunSpec spec;
        spec.name = "birds";
        spec.weights.file = "/m.pth";
        spec.augment.flip = true;
        spec.steps = 400;
        spec.finetune.thawAtEpoch = 3;
        spec.optimizer.params["lr"] = 0.02;
        const spec::RunSpec head = run::quickHead(spec);
        QVERIFY(run::isQuickHead(head) && !run::isQuickHead(spec));
        QCOMPARE(head.name, "birds-head");
        QVERIFY(head.finetune.freeze == std::vector<std::string>{"body"} && head.finetune.thawAtEpoch == 0);
        QVERIFY(!head.steps && head.epochs == run::kEpochsOfHead && head.augment == spec::Augment{});
        QVERIFY(spec::validateFields(head).empty());
        QCOMPARE(head.optimizer.name, "adamw"); // whose rate does not depend on the scale of the features
        QCOMPARE(head.optimizer.number("lr", 0), 0.001);
        const spec::RunSpec whole = run::trainedOn(head, 7.6);
        QVERIFY(whole.finetune == spec::Finetune{} && whole.epochs == 12);
        QCOMPARE(whole.optimizer.number("lr", 0), 0.0001);
        spec.optimizer = {"adam", {{"lr", 0.02}}}; // as the person has set it
        QVERIFY(run::quickHead(spec).optimizer == spec.optimizer);
        QCOMPARE(whole.weights.file, "/m.pth");
    }

    // Feature: the window lists the files that a run has left out, or that a check of a folder has found.
    void unreadableFilesAreListed() {
        const auto read = [this](const QByteArray& text) {
            return readDataErrors(made(QStringLiteral("data-errors.jsonl"), text).toStdString());
        };
        const auto found =
            read("{\"file\": \"/a b.png\", \"error\": \"is empty\"}\n\n{\"file\":\"/c\",\"error\":\"\"}");
        QVERIFY(found.ok() && found->count == 2);
        QCOMPARE(found->files[0], (BadFile{QStringLiteral("/a b.png"), QStringLiteral("is empty")}));
        QVERIFY(read("\n")->files.isEmpty());
        const auto check = parseFolderCheck(R"({"pictures": 5, "bad": [{"file": "/x", "why": "no"}], "twiceCount": 2,
            "leaks": 1, "recovered": 0})");
        QVERIFY(check.ok() && check->pictures == 5 && check->twice == 2 && check->leaks == 1);
        QCOMPARE(check->files[0].why, QStringLiteral("no"));
        QImage image(40, 20, QImage::Format_RGB32);
        image.fill(Qt::red);
        const QString file = m_folder.filePath(QStringLiteral("red.png"));
        QVERIFY(image.save(file));
        QCOMPARE(thumbnailOf(file, 10).size(), QSize(10, 5));
        QVERIFY(thumbnailOf(made(QStringLiteral("no.png"), "no picture"), 10).isNull());
    }

    // Bad inputs: lists of unreadable files, and answers of a check.
    void listsThatAreNone() {
        const auto read = [this](const QByteArray& text) {
            return readDataErrors(made(QStringLiteral("data-errors.jsonl"), text).toStdString());
        };
        for (const char* bad : {"{", "3\n", "{\"file\": \"/a\"}", "{\"file\": 3, \"error\": \"\"}", "[\"/a\"]"}) {
            const auto refused = read(QByteArray("{\"file\": \"/a\", \"error\": \"b\"}\n") + bad);
            QVERIFY2(!refused && refused.error().where.ends_with("line 2"), bad);
        }
        for (const char* bad :
             {"", "[]", "{}", "{\"pictures\": 1, \"bad\": 3}", "{\"pictures\": 1, \"bad\": [{\"file\": \"/x\"}]}"})
            QVERIFY2(!parseFolderCheck(bad), bad);
        QVERIFY(!readDataErrors("/not/there.jsonl"));
    }

    void weightsStayWithTheirModel() {
        spec::RunSpec spec;
        useSource(spec, {TrainingSource::Weights, QStringLiteral("/m.pth")}, catalog());
        QCOMPARE(spec.weights.file, "/m.pth");
        QCOMPARE(spec.model.name, "mlp");
    }

    // A double click in a file manager opens what was saved.
    void aSavedRunFileIsKnownByItsName() {
        QFile type(QStringLiteral(TRAINYARD_SOURCE_DIR "/resources/desktop/org.trainyard.Trainyard.mime.xml"));
        QVERIFY(type.open(QIODevice::ReadOnly));
        static const QRegularExpression glob(QStringLiteral("glob pattern=\"([^\"]+)\""));
        const auto saved = runFileName(QStringLiteral("calm-otter"));
        bool known = false;
        auto found = glob.globalMatch(QString::fromUtf8(type.readAll()));
        while (found.hasNext()) known = QDir::match(found.next().captured(1), saved) || known;
        QVERIFY(known);
        QCOMPARE(withRunFileSuffix(QStringLiteral("/d/calm")), QStringLiteral("/d/calm.trainyard.json"));
        QCOMPARE(withRunFileSuffix(QStringLiteral("/d/calm.json")), QStringLiteral("/d/calm.json"));
        QCOMPARE(withRunFileSuffix(saved), saved);
        QCOMPARE(trainingSourceAt(made(saved))->kind, TrainingSource::RunFile);
    }

    void aFolderHoldsImages() {
        const auto source = trainingSourceAt(m_folder.path());
        QVERIFY(source && source->kind == TrainingSource::Images && source->path == m_folder.path());
    }

    void theFirstUsableFileIsTaken() {
        QMimeData dragged;
        const QString table = made(QStringLiteral("t.csv"));
        dragged.setUrls({QUrl(QStringLiteral("https://example.org/t.csv")), QUrl::fromLocalFile(made("n.pdf")),
                         QUrl::fromLocalFile(table)});
        const DropUse use = dropUse(localPaths(dragged), DropPlace::Elsewhere);
        QCOMPARE(use.kind, DropUse::Train);
        QCOMPARE(use.source->path, table);
    }

    void contentAndPlaceSayWhatADropDoes_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("onRuns");
        QTest::addColumn<int>("elsewhere");
        const int nothing = DropUse::Nothing, import = DropUse::Import, train = DropUse::Train;
        const QByteArray log("step,loss\n1,2\n"), line("{\"step\": 1, \"loss\": 2}\n");
        QTest::newRow("table with steps") << "d/log.csv" << log << import << train;
        QTest::newRow("table without steps") << "d/rows.csv" << QByteArray("a,b\n1,2\n") << train << train;
        QTest::newRow("JSON lines") << "d/log.jsonl" << line << import << import;
        QTest::newRow("JSON lines that are called like a run file") << "d/result.json" << line << import << import;
        QTest::newRow("run file") << "d/run.json" << QByteArray("{\"name\": \"r\", \"epochs\": 3}") << train << train;
        QTest::newRow("text") << "d/play.txt" << QByteArray("To be") << train << train;
        QTest::newRow("something else") << "d/notes.pdf" << QByteArray("%PDF") << nothing << nothing;
        QTest::newRow("folder of images") << "d/oak/1.png" << QByteArray("\x89PNG") << train << train;
        QTest::newRow("folder of logs") << "d/version_0/metrics.csv" << log << import << import;
        QTest::newRow("folder of MLflow")
            << "d/0/0123456789abcdef0123456789abcdef/meta.yaml"
            << QByteArray("run_id: 0123456789abcdef0123456789abcdef\n") << import << import;
    }
    void contentAndPlaceSayWhatADropDoes() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(int, onRuns);
        QFETCH(int, elsewhere);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        file.close();
        if (name.endsWith(QLatin1String("meta.yaml"))) QDir(QFileInfo(path).path()).mkdir(QStringLiteral("metrics"));
        // Deeper than in `d`: the folder is dropped.
        const QStringList dropped{name.count(QLatin1Char('/')) > 1 ? folder.filePath(QStringLiteral("d")) : path};
        const DropUse table = dropUse(dropped, DropPlace::RunsTable), other = dropUse(dropped, DropPlace::Elsewhere);
        QCOMPARE(int(table.kind), onRuns);
        QCOMPARE(int(other.kind), elsewhere);
        if (onRuns == DropUse::Import) QCOMPARE(table.imports, dropped);
        if (elsewhere == DropUse::Train) QCOMPARE(other.source->path, dropped.front());
    }

    void theLastColumnDecidesTheTask_data() {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<QString>("task");
        QByteArray prices("rooms,price\n");
        for (int i = 0; i < 120; ++i) prices += QByteArray::number(i % 5) + ',' + QByteArray::number(1000 * i) + '\n';
        QTest::newRow("words") << QByteArray("a,b\n1,oak\n2,elm\n") << "classification";
        QTest::newRow("few whole numbers") << QByteArray("a,b\n1,0\n2,1\n3,0\n") << "classification";
        QTest::newRow("fractions") << QByteArray("a,b\n1,0.25\n2,1.5\n") << "regression";
        QTest::newRow("decimal commas") << QByteArray("a;b\n1;0,25\n2;1,5\n") << "regression";
        QTest::newRow("fractions, one of them missing") << QByteArray("a,b\n1,0.25\n2,\n3,1.5\n") << "regression";
        QTest::newRow("many whole numbers") << prices << "regression";
        QTest::newRow("without a header") << QByteArray("1;2.5\n2;3.5\n") << "regression";
        QTest::newRow("a word among numbers") << QByteArray("a,b\n1,0.25\n2,none\n") << "classification";
        QTest::newRow("no rows") << QByteArray("a,b\n") << "classification";
        QTest::newRow("no table") << QByteArray("\0\1\2", 3) << "classification";
        QTest::newRow("empty") << QByteArray() << "classification";
    }
    void theLastColumnDecidesTheTask() {
        QFETCH(QByteArray, table);
        QFETCH(QString, task);
        spec::RunSpec spec;
        spec.task = "language"; // whatever was set before
        spec.model = {"gpt", {}};
        const QString path = made(QStringLiteral("rows.csv"), table);
        useSource(spec, *trainingSourceAt(path), catalog());
        QCOMPARE(QString::fromStdString(spec.task), task);
        QCOMPARE(spec.dataset.name, std::string("csv"));
        QCOMPARE(spec.dataset.text("file", ""), path.toStdString());
        QCOMPARE(spec.model.name, std::string("mlp")); // what serves the task
    }

    void aSourceIsSetAndTheRestKept() {
        spec::RunSpec spec;
        spec.model = {"mlp", {{"dropout", 0.5}}};
        useSource(spec, {TrainingSource::Images, QStringLiteral("/data/leaves")}, catalog());
        QCOMPARE(spec.dataset.text("folder", ""), std::string("/data/leaves"));
        QCOMPARE(spec.model.number("dropout", 0), 0.5);
        useSource(spec, {TrainingSource::Script, QStringLiteral("/m.pt")}, catalog());
        QCOMPARE(spec.model.name, std::string("torchscript"));
        QCOMPARE(spec.model.text("path", ""), std::string("/m.pt"));
        QCOMPARE(spec.dataset.name, std::string("images"));
        useSource(spec, {TrainingSource::Text, QStringLiteral("/play.txt")}, catalog());
        QCOMPARE(spec.task, std::string("language"));
        QCOMPARE(spec.dataset.text("file", ""), std::string("/play.txt"));
    }

    void aTableAfterImagesHasAModelForRows() {
        spec::RunSpec spec;
        useSource(spec, {TrainingSource::Images, QStringLiteral("/data/leaves")}, catalog());
        spec.model = {"convnet", {}};
        useSource(spec, {TrainingSource::Table, QStringLiteral("/data/leaves.csv")}, catalog());
        QCOMPARE(spec.dataset.name, std::string("csv"));
        QCOMPARE(spec.model.name, std::string("mlp"));
        spec.model.params["dropout"] = 0.5;
        useSource(spec, {TrainingSource::Table, QStringLiteral("/data/other.csv")}, catalog());
        QCOMPARE(spec.model.number("dropout", 0), 0.5);
    }
};

QTEST_GUILESS_MAIN(TrainingSourceTest)
#include "training_source_test.moc"
