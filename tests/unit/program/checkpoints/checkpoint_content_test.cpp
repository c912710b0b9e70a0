// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint file holds, told without running its code: files of PyTorch, and pickles made by hand.
#include "engine/program/checkpoints/read_content.h"
#include "engine/store/files/tensor_values.h"
#include "tests/unit/store/zip_builder.h"
#include "tests/unit/torch/torch_python.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <random>

using namespace trainyard;
using namespace trainyard::program;
using Format = FileContent::Format;

namespace {

std::string bytesIn(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void put(const std::filesystem::path& path, const std::string& bytes) {
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) < 0) qFatal("no file");
}

// The sum of a tensor's values; nothing where they are not told.
std::optional<double> sumOf(const std::filesystem::path& path, const TensorPlace& tensor) {
    if (tensor.bytes == 0) return 0;
    if (!tensor.offset) return std::nullopt;
    const auto file = PlacedReader::open(path);
    std::vector<std::byte> bytes(tensor.bytes);
    if (!file || !file->read(*tensor.offset, bytes)) return std::nullopt;
    std::vector<double> values(tensor.bytes / store::elementSize(tensor.dtype).value_or(1));
    store::readValues(tensor.dtype, bytes, 0, values);
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

double lrOf(const FileContent& content, std::size_t index) {
    return index < content.learningRates.size() ? content.learningRates[index].value : -1;
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

} // namespace

class CheckpointContentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        if (pythonIsHere()) {
            const auto made = test::runScript("make_checkpoints.py", {m_folder.path()});
            QVERIFY2(made.code == 0, qPrintable(made.err));
            m_facts = QJsonDocument::fromJson(made.out.toUtf8()).object();
        }
    }

    // Feature: tensors, types, shapes and values of .pt files as PyTorch wrote them, without PyTorch.
    void pytorchsFilesAreRead_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"training.ckpt", "types.pt", "views.pth", "module.pt", "ordered.pt", "protocol2.pt",
                                 "protocol3.pt", "protocol4.pt", "protocol5.pt"})
            QTest::newRow(file) << file;
    }
    void pytorchsFilesAreRead() {
        if (!pythonIsHere()) QSKIP("no Python with torch here to write them");
        QFETCH(QString, file);
        const auto content = readContent(path(file));
        QVERIFY2(content.ok(), content ? "" : content.error().text().c_str());
        const QJsonObject facts = m_facts[file].toObject();
        QVERIFY(!facts.isEmpty());
        QCOMPARE(static_cast<qsizetype>(content->tensors.size()), facts.size());
        for (const auto& tensor : content->tensors) {
            const QJsonArray fact = facts[QString::fromStdString(tensor.path)].toArray();
            QVERIFY2(fact.size() == 3, tensor.path.c_str());
            QCOMPARE(QString::fromStdString(tensor.dtype), fact[0].toString());
            QJsonArray shape;
            for (const auto size : tensor.shape) shape << static_cast<qint64>(size);
            QCOMPARE(shape, fact[1].toArray());
            const bool isStrided = tensor.path == "column" || tensor.path == "transposed";
            const auto sum = sumOf(path(file), tensor);
            QCOMPARE(sum.has_value(), !isStrided);
            if (sum) QCOMPARE(*sum, fact[2].toDouble());
        }
        QVERIFY(content->notes.empty());
    }

    // Feature: step, epoch and learning rates of a checkpoint file.
    void progressIsRead() {
        if (!pythonIsHere()) QSKIP("no Python with torch here to write them");
        const auto training = readContent(path("training.ckpt"));
        QVERIFY(training.ok());
        QCOMPARE(training->step, std::optional<std::int64_t>(1000));
        QCOMPARE(training->epoch, std::optional<double>(3));
        QCOMPARE(training->learningRates.size(), std::size_t{2});
        QCOMPARE(training->learningRates[0].path, std::string("optimizer_states.0.param_groups.0.lr"));
        QCOMPARE(lrOf(*training, 0), 0.002);
        QCOMPARE(lrOf(*training, 1), 0.001);
        QVERIFY(training->code.empty());
        const auto large = readContent(path("large.pt"));
        QVERIFY(large.ok());
        QCOMPARE(large->step, std::optional<std::int64_t>(20));
        QVERIFY(!large->epoch);
    }

    void otherFormatsAreTold() {
        if (!pythonIsHere()) QSKIP("no Python with torch here to write them");
        const auto script = readContent(path("script.pt"));
        QVERIFY2(script.ok(), script ? "" : script.error().text().c_str());
        QCOMPARE(script->format, Format::TorchScript);
        QCOMPARE(script->tensors.size(), std::size_t{9});
        QVERIFY(script->code.empty());
        const auto legacy = readContent(path("legacy.pt"));
        QVERIFY(legacy.ok());
        QCOMPARE(legacy->format, Format::LegacyTorch);
        QVERIFY(legacy->notes.empty());
        QCOMPARE(legacy->tensors.size(), std::size_t{1});
        QCOMPARE(legacy->tensors[0].path, std::string("w"));
        QCOMPARE(sumOf(path("legacy.pt"), legacy->tensors[0]), std::optional<double>(2));
        const auto arrays = readContent(path("arrays.npz"));
        QVERIFY(arrays.ok());
        QCOMPARE(arrays->format, Format::Archive);
        QCOMPARE(arrays->parts.size(), std::size_t{1});
        QCOMPARE(arrays->parts[0].name, std::string("a.npy"));
    }

    // Feature: code in a checkpoint file is named, and never run.
    void codeIsNamedAndNotRun() {
        if (!pythonIsHere()) QSKIP("no Python with torch here to write them");
        const auto runs = readContent(path("runs.pt"));
        QVERIFY(runs.ok());
        QCOMPARE(runs->code, std::vector<std::string>{"posix.system"});
        QVERIFY(!QFile::exists(m_folder.filePath("RAN")));
        QCOMPARE(readContent(path("arguments.pt"))->code, std::vector<std::string>{"argparse.Namespace"});
        const auto whole = readContent(path("module.pt"));
        QVERIFY(whole.ok());
        QCOMPARE(whole->code.front(), std::string("torch.nn.modules.container.Sequential"));
    }

    void codeIsNamedHoweverItIsWritten_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const std::string& pickle, const char* code) {
            QTest::newRow(name) << QByteArray::fromStdString(pickle) << code;
        };
        row("GLOBAL and REDUCE",
            "\x80\x02"
            "cos\nsystem\nU\x02ls\x85R.",
            "os.system");
        row("STACK_GLOBAL", "\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x02ls\x85R.", "os.system");
        row("STACK_GLOBAL with texts of protocol 0", "Vos\nVsystem\n\x93(U\x02lstR.", "os.system");
        row("INST", "(S'ls'\nios\nsystem\n.", "os.system");
        row("OBJ", "(cos\nsystem\nU\x02lso.", "os.system");
        row("named in parts",
            "\x80\x04\x8c\x08"
            "builtins\x8c\x0cgetattr.call\x93.",
            "builtins.getattr.call");
        row("in a type's own name",
            "\x80\x02"
            "ctorch._utils._rebuild_tensor_v2.x\ny\n.",
            "torch._utils._rebuild_tensor_v2.x.y");
        row("as an extension", "\x80\x02\x82\x07.", "copyreg extension 7");
        row("computed", "\x80\x04NN\x93.", "(computed).(computed)");
        row("PyTorch's loader of other pickles", "ctorch.storage\n_load_from_bytes\n.",
            "torch.storage._load_from_bytes");
        row("before what is damaged", "cos\nsystem\n\xff", "");
    }
    void codeIsNamedHoweverItIsWritten() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, code);
        const auto content = ofPickle(pickle.toStdString());
        if (code.isEmpty()) {
            QVERIFY(!content.ok());
            QVERIFY(QString::fromStdString(content.error().text()).contains("before that it names os.system"));
            return;
        }
        QVERIFY2(content.ok(), content ? "" : content.error().text().c_str());
        QCOMPARE(content->code, std::vector<std::string>{code.toStdString()});
    }

    // Bad inputs: a pickle in a checkpoint that is cut, deep, endless, of values that stand in one another, or none.
    void badPicklesAreExplained_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& pickle, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(pickle) << says;
        };
        row("empty", "", "it does not end");
        row("no end", "\x80\x02}", "it does not end");
        row("no instruction", "\x80\x02\xfe", "0xfe is no instruction");
        row("newer", std::string("\x80\x09}.", 4), "it has protocol 9, 5 is the newest that is known");
        row("number cut", "J\x01", "it is cut short");
        row("text cut",
            std::string("X\xff\xff\xff\xff"
                        "abc",
                        8),
            "it is cut short");
        row("text of 2^63 bytes", std::string("\x8d\xff\xff\xff\xff\xff\xff\xff\x7f", 9), "it is cut short");
        row("line cut", "cos", "it is cut short");
        row("nothing on the stack", "\x80\x02R.", "it takes a value that is not there");
        row("below a mark", "N(\x85.", "it takes a value that is not there");
        row("no mark", "t.", "it takes a mark that is not there");
        row("never remembered", "h\x05.", "it takes value 5, which it has not remembered");
        row("memo of 4 billion", "Nr\xff\xff\xff\xff.", "it remembers a value as number 4294967295");
        row("memo with no number", "Npx\n.", "it remembers a value under no number");
        row("adds to a number",
            "K\x01K\x02"
            "a.",
            "it adds to what holds nothing");
        row("key without a value", "}(K\x01u.", "a key has no value");
        row("calls nothing", "(o.", "it calls nothing");
        row("endless marks", repeated("(", 200'000) + ".", "values, the most that are read");
        row("endless values", repeated("N2222222222222222", 600'000) + ".", "values, the most that are read");
    }
    void badPicklesAreExplained() {
        QFETCH(QByteArray, pickle);
        QFETCH(QString, says);
        const auto content = ofPickle(pickle.toStdString());
        QVERIFY(!content.ok());
        QCOMPARE(content.error().kind, ErrorKind::Input);
        const QString text = QString::fromStdString(content.error().text());
        QVERIFY2(text.contains(says) && text.contains("of the pickle") && text.contains("bad.pt"), qPrintable(text));
        QVERIFY(!content.error().remedy.empty());
    }

    // Bad inputs: values of a pickle that hold one another a billion times, in circles, or a hundred thousand deep.
    void hostileTreesEnd_data() {
        QTest::addColumn<QByteArray>("pickle");
        QTest::newRow("deep") << QByteArray::fromStdString(repeated("]", 90'000) + repeated("a", 89'999) + ".");
        QTest::newRow("circle") << QByteArray("]q\x00h\x00h\x00\x86q\x01"
                                              "ah\x01.",
                                              14);
        std::string doubling = "}"; // each dictionary holds the one before it twice: 2^60 paths
        for (int i = 0; i < 60; ++i)
            doubling = doubling + "q" + char(i) + "0}(K\x01h" + char(i) + "K\x02h" + char(i) + "u";
        QTest::newRow("doubled") << QByteArray::fromStdString(doubling + ".");
        // A list of 100,000 numbers that stands in another one 100,000 times.
        const std::string wide = "]q\x01(" + repeated("K\x07", 100'000) + "e0](" + repeated("h\x01", 100'000) + "e.";
        QTest::newRow("wide") << QByteArray::fromStdString(wide);
    }
    void hostileTreesEnd() {
        QFETCH(QByteArray, pickle);
        QElapsedTimer timer;
        timer.start();
        (void)ofPickle(pickle.toStdString());
        QVERIFY2(timer.elapsed() < 3000, qPrintable(QString("%1 ms").arg(timer.elapsed())));
    }

    // Bad inputs: a checkpoint file that is missing, empty, a folder, a FIFO, cut, a zip bomb, or too large to list.
    void badFilesAreExplained_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("says");
        QTest::newRow("missing") << "missing" << "there is no such file";
        QTest::newRow("empty") << "empty" << "is empty";
        QTest::newRow("folder") << "folder" << "this is not a regular file";
        QTest::newRow("FIFO") << "fifo" << "this is not a regular file";
        QTest::newRow("cut") << "cut" << "was cut off: its directory is missing";
        QTest::newRow("bomb") << "bomb" << "is damaged: its bytes do not have the CRC-32";
        QTest::newRow("huge pickle") << "huge" << "the limit is";
        QTest::newRow("safetensors that is none") << "text" << "is not a safetensors file";
    }
    void badFilesAreExplained() {
        QFETCH(QString, how);
        QFETCH(QString, says);
        const auto file = path(how == "text" ? "bad.safetensors" : "bad.pt");
        const std::string whole = test::zipOf({{"m/data.pkl", "}."}});
        std::filesystem::remove_all(file);
        if (how == "empty") put(file, "");
        if (how == "folder") std::filesystem::create_directory(file);
        if (how == "fifo") QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
        if (how == "cut") put(file, whole.substr(0, whole.size() - 10));
        if (how == "bomb") put(file, bomb());
        if (how == "huge") put(file, test::zipOf({{"m/data.pkl", std::string(70u << 20, 'N')}}));
        if (how == "text") put(file, "{\"this\": \"is text, not tensors\"}");
        const auto content = readContent(file);
        std::filesystem::remove_all(file);
        QVERIFY(!content.ok());
        QCOMPARE(content.error().kind, ErrorKind::Input);
        const QString text = QString::fromStdString(content.error().text());
        QVERIFY2(text.contains(says) && text.contains("bad."), qPrintable(text));
        QVERIFY(!content.error().remedy.empty());
    }

    // Bad inputs: 300 changed copies of PyTorch's files, and every cut of one.
    void changedFilesAreSurvived() {
        const std::filesystem::path corpus(TRAINYARD_SOURCE_DIR "/tests/fuzz/corpus/checkpoint_file");
        const std::string training = bytesIn(corpus / "training");
        QVERIFY(readFrom(training).ok());
        int errors = 0;
        std::mt19937 random(20261129);
        for (int i = 0; i < 300; ++i) {
            std::string bytes = bytesIn(corpus / (i % 3 == 0 ? "evil" : "training"));
            for (int changes = i % 5; changes >= 0; --changes)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            const auto content = readFrom(bytes);
            if (!content) ++errors;
            if (!content) QVERIFY(!content.error().message.empty() && !content.error().where.empty());
        }
        QVERIFY2(errors > 30, qPrintable(QString::number(errors)));
        for (std::size_t size = 0; size < training.size(); size += 97)
            QVERIFY(!readFrom(training.substr(0, size)).ok());
    }

    // Feature: what is in 189 MB with 480 tensors is told in milliseconds.
    void largeFilesAreQuick() {
        if (!pythonIsHere()) QSKIP("no Python with torch here to write them");
        QElapsedTimer timer;
        timer.start();
        const auto content = readContent(path("large.pt"));
        QVERIFY(content.ok());
        QCOMPARE(content->tensors.size(), std::size_t{480});
        QVERIFY2(timer.elapsed() < 500, qPrintable(QString("%1 ms").arg(timer.elapsed())));
    }

private:
    static bool pythonIsHere() { return !test::pythonWithTorch().isEmpty(); }
    std::filesystem::path path(const QString& file) const { return m_folder.filePath(file).toStdString(); }
    Result<FileContent> readFrom(const std::string& bytes) const {
        put(path("bad.pt"), bytes);
        return readContent(path("bad.pt"));
    }
    Result<FileContent> ofPickle(const std::string& pickle) const {
        return readFrom(test::zipOf({{"m/data.pkl", pickle}}));
    }
    // 100 MB of zeros in 100 kB that say they are two bytes.
    static std::string bomb() {
        z_stream stream{};
        deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
        std::string zeros(1u << 20, '\0'), packed(1u << 20, '\0');
        stream.next_out = reinterpret_cast<Bytef*>(packed.data());
        stream.avail_out = static_cast<uInt>(packed.size());
        for (int i = 0; i < 100; ++i) {
            stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
            stream.avail_in = static_cast<uInt>(zeros.size());
            deflate(&stream, i == 99 ? Z_FINISH : Z_NO_FLUSH);
        }
        packed.resize(stream.total_out);
        deflateEnd(&stream);
        std::string file = test::zipOf({{"m/data.pkl", packed, 0, 8}});
        const auto directory = file.rfind("PK\x01\x02");
        file.replace(directory + 24, 4, test::little(2, 4)); // the size that it claims
        return file;
    }

    QTemporaryDir m_folder;
    QJsonObject m_facts;
};

QTEST_GUILESS_MAIN(CheckpointContentTest)
#include "checkpoint_content_test.moc"
