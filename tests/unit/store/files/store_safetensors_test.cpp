// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/store/files/safetensors.h"
#include "tests/texts.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstring>

using namespace trainyard;
using namespace trainyard::store;
using trainyard::test::text;
namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytesOf(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }
// A file with this header and data; the length field says `length`, or the truth when it is negative.
std::string fileOf(const std::string& header, const std::string& data = {}, std::int64_t length = -1) {
    const auto claimed = length < 0 ? header.size() : static_cast<std::uint64_t>(length);
    std::string file(8, '\0');
    std::memcpy(file.data(), &claimed, 8);
    return file + header + data;
}

// Two tensors, as every bad file below is made from.
const std::string kGood =
    R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[2,2],"data_offsets":[8,12]}})";

std::string with(const std::string& from, const std::string& to) {
    std::string header = kGood;
    const std::size_t at = header.find(from);
    if (at == std::string::npos) qFatal("no %s in the header", from.c_str());
    return header.replace(at, from.size(), to);
}

} // namespace

class StoreSafetensorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tensorsComeBack() {
        QTemporaryDir dir;
        const fs::path path = fs::path(dir.path().toStdString()) / "a.safetensors";
        const std::vector<float> weights{1.5f, -2.0f, 0.25f, 8.0f, 5.0f, 6.0f};
        const std::string flags("\1\0\1", 3);
        const Metadata metadata{{"step", "120"}, {"run", "brave-otter \"ü\""}};
        const std::vector<TensorBytes> tensors{{"layer.weight", "F32", {2, 3}, std::as_bytes(std::span(weights))},
                                               {"mask", "BOOL", {3}, bytesOf(flags)},
                                               {"empty", "I64", {0, 4}, {}},
                                               {"scalar", "U8", {}, bytesOf("x")}};
        QVERIFY2(writeSafetensors(path, tensors, metadata).ok(), "write");
        const auto file = SafetensorsFile::open(path);
        QVERIFY2(file.ok(), text(file).c_str());
        QCOMPARE(file->tensors().size(), 4u);
        const TensorInfo* weight = file->find("layer.weight");
        QVERIFY(weight != nullptr);
        QCOMPARE(weight->shape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(std::memcmp(file->bytes(*weight).data(), weights.data(), 24), 0);
        QCOMPARE(file->bytes(*file->find("empty")).size(), 0u);
        QCOMPARE(file->metadata().at("step"), std::string("120"));
        QCOMPARE(file->metadata().at("run"), metadata.at("run"));
        QVERIFY(file->find("nothing") == nullptr);
        // The data starts aligned, so that a tensor can be used in place.
        QCOMPARE(reinterpret_cast<std::uintptr_t>(file->bytes(*weight).data()) % 8, 0u);
    }
    // Bad inputs: one flipped bit in a safetensors file. With checksums, each of them is found.
    void everyFlippedBitIsFound() {
        QTemporaryDir dir;
        const fs::path path = fs::path(dir.path().toStdString()) / "a.safetensors";
        const std::string data = "0123456789abcdef";
        QVERIFY(writeSafetensors(path, {{"w", "F32", {2, 2}, bytesOf(data)}}, {{"step", "7"}}).ok());
        const std::string good = *readFile(path);
        QVERIFY(checkSafetensors(bytesOf(good)).ok());
        for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
            std::string bad = good;
            bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
            const auto checked = checkSafetensors(bytesOf(bad));
            QVERIFY2(!checked.ok(), ("bit " + std::to_string(bit)).c_str());
            QCOMPARE(checked.error().kind, ErrorKind::Input);
            QVERIFY2(!checked.error().remedy.empty(), checked.error().text().c_str());
        }
        for (std::size_t length = 0; length < good.size(); ++length)
            QVERIFY(!checkSafetensors(bytesOf(std::string_view(good).substr(0, length))).ok());
    }
    void filesOfOtherProgramsNeedNoChecksums() {
        QVERIFY(checkSafetensors(bytesOf(fileOf(kGood, "12345678abcd"))).ok());
        QVERIFY(checkSafetensors(bytesOf(fileOf("{}"))).ok());
        QVERIFY(checkSafetensors(bytesOf(fileOf(kGood + "     ", "12345678abcd"))).ok());
    }

    // Bad inputs: safetensors files.
    void badFilesAreExplained_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const std::string& file, const char* part) {
            QTest::newRow(name) << QByteArray::fromStdString(file) << QString(part);
        };
        const std::string data = "12345678abcd";
        row("empty", "", "the file is empty");
        row("7 bytes", "1234567", "a file of 7 bytes is not a safetensors file");
        row("random bytes", "PK\x03\x04 a zip archive, as torch.save writes it", "this is not a safetensors file");
        row("zeros", std::string(64, '\0'), "does not begin with {");
        row("100 MB header", fileOf("{}", "", 100'000'001), "100000001 bytes, the limit is 100000000");
        row("header cut short", fileOf("{}", "", 5000), "header should have 5000 bytes, 2 are there");
        row("not JSON", fileOf("{\"a\":"), "not valid JSON at byte");
        row("deep JSON", fileOf("{\"a\":" + std::string(100'000, '[')), "tensor \"a\" holds a list in a wrong place");
        row("deep objects", fileOf("{\"a\":{\"dtype\":{\"x\":{"), "nests deeper than the format");
        row("doubled tensor", fileOf(with("\"b\"", "\"a\""), data), "tensor \"a\" is there twice");
        row("doubled key", fileOf(with("\"dtype\":\"F32\"", "\"dtype\":\"F32\",\"dtype\":\"F32\""), data),
            "has the key \"dtype\" twice");
        row("unknown key", fileOf(with("\"dtype\":\"F32\"", "\"dtype\":\"F32\",\"x\":\"F32\""), data),
            "has the unknown key \"x\"");
        row("missing key", fileOf(with("\"dtype\":\"F32\",", ""), data), "tensor \"a\" lacks one of");
        row("unknown dtype", fileOf(with("F32", "F33"), data), "tensor \"a\" has the unknown dtype \"F33\"");
        row("negative dimension", fileOf(with("[2,2]", "[-2,2]"), data), "tensor \"b\" holds the negative number -2");
        row("fraction", fileOf(with("[2,2]", "[2.5,2]"), data), "tensor \"b\" holds 2.5 where a whole number belongs");
        row("shape overflow", fileOf(with("[2,2]", "[4611686018427387904,4611686018427387904]"), data),
            "tensor \"b\" has a shape whose size overflows");
        row("dimension overflow", fileOf(with("[2,2]", "[18446744073709551615]"), data),
            "tensor \"b\" has a dimension that is too large");
        row("shape against bytes", fileOf(with("[2,2]", "[2,3]"), data),
            "tensor \"b\" should have 6 bytes by its shape");
        row("offsets backwards", fileOf(with("[8,12]", "[12,8]"), data), "its data_offsets are 12 to 8");
        row("one offset", fileOf(with("[8,12]", "[8]"), data), "tensor \"b\" needs two data_offsets");
        row("overlap", fileOf(with("[8,12]", "[6,10]"), data.substr(0, 10)),
            "tensor \"b\" overlaps the tensor before it");
        row("gap", fileOf(with("[8,12]", "[9,13]"), data + "e"), "a gap of 1 bytes before tensor \"b\"");
        row("data cut short", fileOf(kGood, data.substr(0, 11)),
            "cut short: tensor \"b\" ends at byte 12 of the data, 11 are there");
        row("trailing bytes", fileOf(kGood, data + "xyz"), "3 bytes follow the last tensor");
        row("metadata number", fileOf(R"({"__metadata__":{"a":1}})"), "holds a number in a wrong place");
        row("checksum unreadable", fileOf(R"({"__metadata__":{"crc32c":"x"}})"), "the checksums are not readable");
        row("escape codes in a name", fileOf("{\"\\u001b[2J\":1}"), "tensor \"\\x1b[2J\"");
    }
    void badFilesAreExplained() {
        QFETCH(QByteArray, file);
        QFETCH(QString, part);
        QTemporaryDir dir;
        const fs::path path = fs::path(dir.path().toStdString()) / "bad.safetensors";
        QVERIFY(writeFileAtomic(path, file.toStdString()).ok());
        const auto opened = SafetensorsFile::open(path);
        QVERIFY(!opened.ok());
        QCOMPARE(opened.error().kind, ErrorKind::Input);
        QCOMPARE(opened.error().where, path.string());
        QVERIFY2(text(opened).find(part.toStdString()) != std::string::npos, text(opened).c_str());
        QVERIFY2(!opened.error().remedy.empty(), text(opened).c_str());
    }
    // Bad inputs: paths that are no safetensors file.
    void missingFilesAndFoldersAreExplained() {
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        QVERIFY(text(SafetensorsFile::open(folder / "none")).find("no such file (check the path)") !=
                std::string::npos);
        QVERIFY(text(SafetensorsFile::open(folder)).find("not a regular file (name a file)") != std::string::npos);
    }
    void badTensorsAreNotWritten() {
        QTemporaryDir dir;
        const fs::path path = fs::path(dir.path().toStdString()) / "a.safetensors";
        const auto written = [&](std::vector<TensorBytes> tensors) {
            return text(writeSafetensors(path, tensors, {}));
        };
        QVERIFY(written({{"a", "U8", {2}, bytesOf("x")}}).find("tensor \"a\" should have 2 bytes, has 1") !=
                std::string::npos);
        QVERIFY(written({{"a", "U8", {1}, bytesOf("x")}, {"a", "U8", {1}, bytesOf("x")}}).find("is there twice") !=
                std::string::npos);
        QVERIFY(written({{"", "U8", {1}, bytesOf("x")}}).find("name that cannot be stored") != std::string::npos);
        QVERIFY(written({{"a", "F8", {1}, bytesOf("x")}}).find("unknown dtype") != std::string::npos);
        QVERIFY(written({{"\xff", "U8", {1}, bytesOf("x")}}).find("not UTF-8") != std::string::npos);
        QVERIFY(!fs::exists(path));
    }
    // Large enough to go past the page cache; the same file whether its bytes lie ready or come in pieces.
    void sourcesMakeTheSameFile() {
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        std::string large((6u << 20) + 4, '\0');
        for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>((i * 2654435761u) >> 11);
        const auto floats = static_cast<std::int64_t>(large.size() / 4);
        const std::vector<TensorBytes> ready{{"large", "F32", {floats}, bytesOf(large)},
                                             {"small", "U8", {3}, bytesOf("abc")},
                                             {"empty", "I64", {0}, {}}};
        QVERIFY(writeSafetensors(folder / "ready", ready, {{"step", "1"}}).ok());
        const auto inPieces = [](std::span<const std::byte> bytes, const ByteSink& sink) -> Result<void> {
            for (std::size_t piece = 1; !bytes.empty(); piece = piece * 7 % 300'007) {
                const auto now = bytes.first(std::min(piece, bytes.size()));
                TY_TRY(sink(now));
                bytes = bytes.subspan(now.size());
            }
            return {};
        };
        std::vector<TensorSource> sources;
        for (const auto& tensor : ready)
            sources.push_back({tensor.name, tensor.dtype, tensor.shape,
                               [&](const ByteSink& sink) { return inPieces(tensor.bytes, sink); }});
        QVERIFY(writeSafetensorsFrom(folder / "sources", sources, {{"step", "1"}}).ok());
        QVERIFY(*readFile(folder / "ready") == *readFile(folder / "sources"));
        const auto file = SafetensorsFile::open(folder / "sources");
        QVERIFY2(file.ok(), text(file).c_str());
        QCOMPARE(std::memcmp(file->bytes(*file->find("large")).data(), large.data(), large.size()), 0);

        sources.back().produce = [](const ByteSink&) -> Result<void> { return runError("it went away"); };
        QCOMPARE(writeSafetensorsFrom(folder / "none", sources, {}).error().message, std::string("it went away"));
        sources.back().produce = [](const ByteSink& sink) { return sink(bytesOf("12345678")); };
        QVERIFY(text(writeSafetensorsFrom(folder / "none", sources, {})).find("should have 0 bytes, has 8") !=
                std::string::npos);
        QVERIFY(!fs::exists(folder / "none"));
    }
};

QTEST_GUILESS_MAIN(StoreSafetensorsTest)
#include "store_safetensors_test.moc"
