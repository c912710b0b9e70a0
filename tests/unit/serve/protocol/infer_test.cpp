// SPDX-License-Identifier: GPL-3.0-or-later
// The Open Inference Protocol: requests in JSON and with binary tensors, and answers both ways.
#include "engine/serve/protocol/infer_answer.h"

#include <QTest>

#include <bit>
#include <cstring>
#include <limits>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

ModelSignature twoInputs() {
    ModelSignature signature;
    signature.name = "m";
    signature.inputs = {{"x", TensorType::Fp32, {-1, 2, 2}}, {"n", TensorType::Int32, {-1}}};
    signature.outputs = {{"y", TensorType::Fp32, {-1, 3}}, {"best", TensorType::Int64, {-1}}};
    return signature;
}
ModelSignature oneInput(TensorType type) {
    ModelSignature signature;
    signature.inputs = {{"x", type, {-1, 3}}};
    signature.outputs = {{"y", TensorType::Fp32, {-1, 3}}};
    return signature;
}

std::span<const std::byte> bytesOfText(const std::string& text) { return std::as_bytes(std::span(text)); }

template <class Number>
std::vector<Number> numbersOf(std::span<const std::byte> data) {
    std::vector<Number> numbers(data.size() / sizeof(Number));
    std::memcpy(numbers.data(), data.data(), numbers.size() * sizeof(Number));
    return numbers;
}

const std::string kX = R"({"name":"x","shape":[1,2,2],"datatype":"FP32","data":[1,2,3,4]})";
const std::string kN = R"({"name":"n","shape":[1],"datatype":"INT32","data":[7]})";
std::string inputs(const std::string& list, const std::string& more = {}) {
    return "{\"inputs\":[" + list + "]" + more + "}";
}

} // namespace

class InferTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsJson() {
        InferReader reader;
        const std::string body =
            R"({"outputs":[{"name":"best","parameters":{"binary_data":true}}],"id":"a7",
                "parameters":{"timeout":2500},
                "inputs":[{"data":[7,-8],"datatype":"INT32","shape":[2],"name":"n"},
                          {"name":"x","shape":[2,2,2],"datatype":"FP32",
                           "data":[[[1,2.5],[3e0,4]],[[5,6],[-7,0.1]]]}]})";
        const auto read = reader.read(twoInputs(), bytesOfText(body), {});
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->id, std::string("a7"));
        QCOMPARE(read->timeoutUs, 2500);
        QCOMPARE(read->rows, std::size_t(2));
        QCOMPARE(read->inputs[0].name, std::string("x")); // the order of the signature
        QCOMPARE(numbersOf<float>(read->inputs[0].data), (std::vector<float>{1, 2.5, 3, 4, 5, 6, -7, 0.1f}));
        QCOMPARE(numbersOf<std::int32_t>(read->inputs[1].data), (std::vector<std::int32_t>{7, -8}));
        QCOMPARE(read->outputs.size(), std::size_t(1));
        QVERIFY(read->outputs[0].name == "best" && read->outputs[0].binary);
    }

    void readsEveryDatatype_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("data");
        QTest::addColumn<QByteArray>("hex");
        QTest::newRow("BOOL") << "BOOL" << "[true,false,1]" << QByteArray("010001");
        QTest::newRow("UINT8") << "UINT8" << "[0,128,255]" << QByteArray("0080ff");
        QTest::newRow("INT32") << "INT32" << "[-1,0,2147483647]" << QByteArray("ffffffff00000000ffffff7f");
        QTest::newRow("INT64") << "INT64" << "[-1,0,9223372036854775807]"
                               << QByteArray("ffffffffffffffff0000000000000000ffffffffffffff7f");
        QTest::newRow("FP32") << "FP32" << "[1,-0.0,1e-45]" << QByteArray("0000803f0000008001000000");
        QTest::newRow("FP64") << "FP64" << "[1,0,-2.5]"
                              << QByteArray("000000000000f03f000000000000000000000000000004c0");
        QTest::newRow("BYTES") << "BYTES" << "[\"ab\",\"\",\"\\u00e9\"]"
                               << QByteArray("02000000616200000000"
                                             "02000000c3a9");
    }
    void readsEveryDatatype() {
        QFETCH(const QString, type);
        QFETCH(const QString, data);
        QFETCH(const QByteArray, hex);
        const ModelSignature signature = oneInput(*tensorTypeFromString(type.toStdString()));
        const std::string words = "\"name\":\"x\",\"shape\":[1,3],\"datatype\":\"" + type.toStdString() + "\"";
        InferReader reader;
        const std::string json = inputs("{" + words + ",\"data\":" + data.toStdString() + "}");
        const auto read = reader.read(signature, bytesOfText(json), {});
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        const auto tensor = read->inputs[0].data;
        const QByteArray bytes(reinterpret_cast<const char*>(tensor.data()), static_cast<qsizetype>(tensor.size()));
        QCOMPARE(bytes.toHex(), hex);
        // The same bytes behind the JSON are read in place.
        const std::string head =
            inputs("{" + words + ",\"parameters\":{\"binary_data_size\":" + std::to_string(bytes.size()) + "}}");
        const std::string body = head + bytes.toStdString();
        const auto binary = reader.read(signature, bytesOfText(body), std::to_string(head.size()));
        QVERIFY2(binary.ok(), binary ? "" : binary.error().text().c_str());
        QCOMPARE(static_cast<const void*>(binary->inputs[0].data.data()),
                 static_cast<const void*>(body.data() + head.size()));
        QCOMPARE(binary->inputs[0].data.size(), tensor.size());
    }

    void oneRowNeedsNoDimension() {
        InferReader reader;
        const std::string body = inputs(R"({"name":"x","shape":[3],"datatype":"FP32","data":[1,2,3]})");
        const auto read = reader.read(oneInput(TensorType::Fp32), bytesOfText(body), {});
        QVERIFY(read.ok());
        QCOMPARE(read->inputs[0].shape, (std::vector<std::int64_t>{1, 3}));
        QCOMPARE(read->rows, std::size_t(1));
    }

    // Bad inputs: requests for inference that are no JSON, have the wrong rank, datatype, count, number or size. Each
    // error names the place and what to do.
    void badRequestsAreExplained_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("length");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const std::string& body, const char* where, const char* length = "") {
            QTest::newRow(name) << QString::fromStdString(body) << length << where;
        };
        const auto x = [](const std::string& shape, const std::string& data, const std::string& type = "FP32") {
            return inputs("{\"name\":\"x\",\"shape\":" + shape + ",\"datatype\":\"" + type + "\",\"data\":" + data +
                          "}," + kN);
        };
        row("empty", "", "body");
        row("no JSON", "hello", "body");
        row("a list", "[]", "body");
        row("cut", inputs(kX).substr(0, 40), "body");
        row("deep", std::string(100'000, '['), "body");
        row("deep and closed", std::string(5'000, '[') + std::string(5'000, ']'), "body");
        row("NaN", x("[1,2,2]", "[NaN,2,3,4]"), "body");
        row("Infinity", x("[1,2,2]", "[Infinity,2,3,4]"), "body");
        row("a number beyond double", x("[1,2,2]", "[1e999,2,3,4]"), "body");
        row("a number beyond FP32", x("[1,2,2]", "[1,2,3,1e39]"), "inputs[0].data[3]");
        row("a text for a number", x("[1,2,2]", "[1,\"2\",3,4]"), "inputs[0].data[1]");
        row("null for a number", x("[1,2,2]", "[1,null,3,4]"), "inputs[0].data[1]");
        row("too few", x("[1,2,2]", "[1,2,3]"), "inputs[0].data");
        row("too many", x("[1,2,2]", "[1,2,3,4,5]"), "inputs[0].data[4]");
        row("lists in lists in lists", x("[1,2,2]", std::string(20, '[') + std::string(20, ']')), "inputs[0].data[0]");
        row("data is no list", x("[1,2,2]", "5"), "inputs[0].data");
        row("wrong rank", x("[1,4]", "[1,2,3,4]"), "inputs[0].shape");
        row("wrong size", x("[1,2,3]", "[1,2,3,4,5,6]"), "inputs[0].shape");
        row("no rows", x("[0,2,2]", "[]"), "inputs[0].shape");
        row("negative size", x("[-1,2,2]", "[1,2,3,4]"), "inputs[0].shape");
        row("huge shape", x("[1000000000000,2,2]", "[1]"), "inputs[0].shape");
        row("shape of 2^64", x("[18446744073709551616,2,2]", "[1]"), "body");
        row("long shape", x("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[1]"), "inputs[0].shape");
        row("other rows", inputs(R"({"name":"n","shape":[2],"datatype":"INT32","data":[7,8]},)" + kX),
            "inputs[1].shape");
        row("wrong datatype", x("[1,2,2]", "[1,2,3,4]", "FP64"), "inputs[0].datatype");
        row("unknown datatype", x("[1,2,2]", "[1,2,3,4]", "FP8"), "inputs[0].datatype");
        row("a fraction for a whole number",
            inputs(kX + R"(,{"name":"n","shape":[1],"datatype":"INT32","data":[1.5]})"), "inputs[1].data[0]");
        row("beyond INT32", inputs(kX + R"(,{"name":"n","shape":[1],"datatype":"INT32","data":[2147483648]})"),
            "inputs[1].data[0]");
        row("no inputs", "{}", "inputs");
        row("inputs are no list", R"({"inputs":{}})", "inputs");
        row("an input is missing", inputs(kX), "inputs");
        row("an input is there twice", inputs(kX + "," + kX), "inputs[1].name");
        row("unknown input", inputs(R"({"name":"z","shape":[1],"datatype":"FP32","data":[1]})"), "inputs[0].name");
        row("no name", inputs(R"({"shape":[1],"datatype":"FP32","data":[1]})"), "inputs[0].name");
        row("no data", inputs(R"({"name":"x","shape":[1,2,2],"datatype":"FP32"},)" + kN), "inputs[0].data");
        row("unknown output", inputs(kX + "," + kN, R"(,"outputs":[{"name":"z"}])"), "outputs[0].name");
        row("an output twice", inputs(kX + "," + kN, R"(,"outputs":[{"name":"y"},{"name":"y"}])"), "outputs[1].name");
        row("id is no text", inputs(kX + "," + kN, R"(,"id":5)"), "id");
        row("timeout is no number", inputs(kX + "," + kN, R"(,"parameters":{"timeout":"1s"})"), "parameters.timeout");
        row("negative timeout", inputs(kX + "," + kN, R"(,"parameters":{"timeout":-1})"), "parameters.timeout");
        row("binary flag is no flag", inputs(kX + "," + kN, R"(,"parameters":{"binary_data_output":1})"),
            "parameters.binary_data_output");
        row("length is no number", inputs(kX + "," + kN), "Inference-Header-Content-Length", "12x");
        row("length beyond the body", inputs(kX + "," + kN), "Inference-Header-Content-Length", "1000");
        row("bytes that no input has", inputs(kX + "," + kN) + "abcd", "inputs", "128");
        const auto binary = [](const std::string& size) {
            return inputs(R"({"name":"x","shape":[1,2,2],"datatype":"FP32","parameters":{"binary_data_size":)" + size +
                          "}}," + kN);
        };
        row("binary without bytes", binary("16"), "inputs[0].parameters.binary_data_size");
        row("binary size of 2^64", binary("18446744073709551615"), "inputs[0].parameters.binary_data_size");
        row("negative binary size", binary("-1"), "inputs[0].parameters.binary_data_size");
        const std::string eight = binary("8");
        QTest::newRow("half of the bytes") << QString::fromStdString(eight + "12345678")
                                           << QString::number(eight.size()) << "inputs[0].parameters.binary_data_size";
    }
    void badRequestsAreExplained() {
        QFETCH(const QString, body);
        QFETCH(const QString, length);
        QFETCH(const QString, where);
        std::string bytes = body.toStdString();
        std::string header = length.toStdString();
        if (header == "128") header = std::to_string(bytes.size() - 4);
        InferReader reader;
        const auto read = reader.read(twoInputs(), bytesOfText(bytes), header);
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().where), where);
        QVERIFY(!read.error().message.empty());
        const auto next = reader.read(twoInputs(), bytesOfText(inputs(kX + "," + kN)), {}); // it reads on
        QVERIFY(next.ok());
    }

    void bytesMustAddUp() {
        const ModelSignature signature = oneInput(TensorType::Bytes);
        const auto read = [&signature](const std::string& data) {
            const std::string head =
                inputs(R"({"name":"x","shape":[1,3],"datatype":"BYTES","parameters":{"binary_data_size":)" +
                       std::to_string(data.size()) + "}}");
            return InferReader().read(signature, bytesOfText(head + data), std::to_string(head.size())).ok();
        };
        const std::string one("\1\0\0\0a", 5);
        QVERIFY(read(one + one + one));
        QVERIFY(!read(one + one));
        QVERIFY(!read(one + one + one.substr(0, 4)));
        QVERIFY(!read(one + one + std::string("\xff\xff\xff\xff", 4)));
    }

    // Feature: pictures, rows and texts as BYTES elements of the Open Inference Protocol take the place of the tensor.
    // Bad inputs: BYTES for a model of tensors, and of another shape.
    void elementsStandForTheTensor() {
        ModelSignature signature = oneInput(TensorType::Fp32);
        const auto read = [&signature](const char* shape) {
            const std::string head = inputs(std::string(R"({"name":"x","shape":)") + shape +
                                            R"(,"datatype":"BYTES","parameters":{"binary_data_size":13}})");
            const std::string body = head + std::string("\4\0\0\0\x89PNG\1\0\0\0a", 13);
            return InferReader().read(signature, bytesOfText(body), std::to_string(head.size()));
        };
        for (const InputKind kind : {InputKind::Image, InputKind::Row, InputKind::Text}) {
            signature.kind = kind;
            for (const char* shape : {"[2]", "[2,1]"}) {
                const auto request = read(shape);
                QVERIFY2(request.ok(), request ? "" : request.error().text().c_str());
                QCOMPARE(request->rows, std::size_t(2));
                QCOMPARE(request->inputs[0].type, TensorType::Bytes);
                QCOMPARE(bytesElements(request->inputs[0].data).at(1), std::string_view("a"));
            }
            QVERIFY(!read("[3]") && !read("[2,3]") && !read("[1,2]"));
        }
        signature.kind = InputKind::Tensor;
        const auto refused = read("[2]");
        QVERIFY(!refused && refused.error().remedy == "convert it to FP32");
        signature.kind = InputKind::Image;
        const auto other = InferReader().read(
            signature, bytesOfText(inputs(R"({"name":"x","shape":[1,3],"datatype":"INT8","data":[1,2,3]})")), {});
        QVERIFY(!other && other.error().remedy.find("each element one picture") != std::string::npos);
    }

    // Answers read back as requests: the same bits in JSON and behind it.
    void answersKeepTheirBits() {
        std::vector<float> y{0.1f, 1.0f / 3, std::numeric_limits<float>::denorm_min(), -0.0f, 3e38f, 1};
        std::vector<std::int64_t> best{std::numeric_limits<std::int64_t>::min(), 5};
        InferAnswer answer;
        answer.model = "m\"1";
        answer.version = "otter@300";
        answer.id = "a\n7";
        answer.outputs = {{"y", TensorType::Fp32, {2, 3}, std::as_bytes(std::span(y))},
                          {"best", TensorType::Int64, {2}, std::as_bytes(std::span(best))}};
        ModelSignature back;
        back.inputs = {{"y", TensorType::Fp32, {-1, 3}}, {"best", TensorType::Int64, {-1}}};
        for (const bool binary : {false, true}) {
            const InferBody made = writeInfer(answer, {{"y", binary}, {"best", false}});
            QCOMPARE(made.headerBytes.has_value(), binary);
            std::string body = made.body;
            body.replace(body.find("\"outputs\""), 9, "\"inputs\""); // which is one byte shorter
            const std::string length = binary ? std::to_string(*made.headerBytes - 1) : "";
            const auto read = InferReader().read(back, bytesOfText(body), length);
            QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
            QCOMPARE(read->id, answer.id);
            for (std::size_t i = 0; i < 2; ++i)
                QVERIFY(std::ranges::equal(read->inputs[i].data, answer.outputs[i].data));
        }
        y[0] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(writeInfer(answer, {}).body.find("\"data\":[null,") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(InferTest)
#include "infer_test.moc"
