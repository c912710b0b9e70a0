// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses, bodies of /predict, and what a service says about itself.
#include "engine/serve/protocol/predict_body.h"
#include "engine/serve/protocol/prometheus_text.h"
#include "engine/serve/protocol/serve_route.h"
#include "engine/serve/protocol/service_documents.h"
#include "engine/serve/values/error_body.h"

#include <nlohmann/json.hpp>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

ModelSignature flowers() {
    ModelSignature signature;
    signature.name = "flowers";
    signature.version = "otter@300";
    signature.task = "classification";
    signature.kind = InputKind::Row;
    signature.inputs = {{"input", TensorType::Fp32, {-1, 3}}};
    signature.outputs = {{"scores", TensorType::Fp32, {-1, 2}}};
    signature.classes = {"iris", "rose"};
    signature.columns = {{"length", {}}, {"width", {}}, {"color", {"red", "blue"}}};
    return signature;
}
ModelSignature ofKind(InputKind kind) {
    ModelSignature signature = flowers();
    signature.kind = kind;
    signature.columns.clear();
    return signature;
}

std::span<const std::byte> bodyOf(const std::string& text) { return std::as_bytes(std::span(text)); }

QString rowsText(const PredictRequest& request) {
    QStringList rows;
    for (const auto& row : request.rows) {
        QStringList cells;
        for (const std::string& cell : row) cells << QString::fromStdString(cell);
        rows << cells.join(',');
    }
    return rows.join(';');
}

} // namespace

class ServeProtocolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Bad inputs: addresses with parts that decode to more than one, or to none.
    void addressesHaveTheirRoute_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("version");
        const auto row = [](const char* method, const char* path, RouteKind kind, const char* model = "",
                            const char* version = "") {
            QTest::addRow("%s %s", method, path) << method << QByteArray(path) << int(kind) << model << version;
        };
        row("GET", "/v2", RouteKind::ServerMetadata);
        row("GET", "/v2/", RouteKind::ServerMetadata);
        row("GET", "/v2/health/live", RouteKind::Live);
        row("GET", "/healthz", RouteKind::Live);
        row("HEAD", "/readyz", RouteKind::Ready);
        row("GET", "/v2/health/ready", RouteKind::Ready);
        row("GET", "/v2/models/m", RouteKind::ModelMetadata, "m");
        row("GET", "/v2/models/m/versions/otter%40300", RouteKind::ModelMetadata, "m", "otter@300");
        row("GET", "/v2/models/m/ready", RouteKind::ModelReady, "m");
        row("GET", "/v2/models/versions/ready", RouteKind::ModelReady, "versions");
        row("GET", "/v2/models/m/versions/2/ready", RouteKind::ModelReady, "m", "2");
        row("POST", "/v2/models/m/infer", RouteKind::Infer, "m");
        row("POST", "/v2/models/m/versions/2/infer", RouteKind::Infer, "m", "2");
        row("POST", "/predict", RouteKind::Predict);
        row("POST", "/predict/m", RouteKind::Predict, "m");
        row("GET", "/openapi.json", RouteKind::OpenApi);
        row("GET", "/metrics", RouteKind::Metrics);
        row("GET", "/", RouteKind::NotFound);
        row("GET", "/v2/models", RouteKind::NotFound);
        row("GET", "/v2/models/m/infer/x", RouteKind::NotFound);
        row("GET", "/v3", RouteKind::NotFound);
        row("GET", "/a/b/c/d/e/f/g/h/i/j/k", RouteKind::NotFound);
        row("POST", "/metrics", RouteKind::WrongMethod);
        row("GET", "/predict", RouteKind::WrongMethod);
        row("GET", "/v2/models/../models/m", RouteKind::BadPath);
        row("GET", "/v2/models/%2e%2e", RouteKind::BadPath);
        row("GET", "/v2/models/a%2fb", RouteKind::BadPath);
        row("GET", "/v2/models/a%00", RouteKind::BadPath);
        row("GET", "/v2/models/a%0ab", RouteKind::BadPath);
        row("GET", "/v2/models/a%4", RouteKind::BadPath);
        row("GET", "/v2/models/a%zz", RouteKind::BadPath);
        row("GET", "//v2", RouteKind::BadPath);
        row("GET", "/v2//models", RouteKind::BadPath);
        row("GET", "*", RouteKind::BadPath);
        row("GET", "", RouteKind::BadPath);
    }
    void addressesHaveTheirRoute() {
        QFETCH(const QString, method);
        QFETCH(const QByteArray, path);
        QFETCH(const int, kind);
        QFETCH(const QString, model);
        QFETCH(const QString, version);
        const HttpMethod word = method == "POST"   ? HttpMethod::Post
                                : method == "HEAD" ? HttpMethod::Head
                                                   : HttpMethod::Get;
        const Route route = routeOf(word, path.toStdString());
        QCOMPARE(int(route.kind), kind);
        QCOMPARE(QString::fromStdString(route.model), model);
        QCOMPARE(QString::fromStdString(route.version), version);
        if (route.kind < RouteKind::NotFound) return;
        const HttpAnswer answer = refuseRoute(route, path.toStdString());
        const int status = route.kind == RouteKind::NotFound ? 404 : route.kind == RouteKind::BadPath ? 400 : 405;
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.headers.empty(), status != 405);
        QVERIFY(!nlohmann::json::parse(answer.body).at("remedy").get<std::string>().empty());
    }

    void rowsAreReadByTheirNames_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("rows");
        QTest::newRow("object") << "application/json" << R"({"color":"red","length":5.1,"width":2,"id":9})"
                                << "5.1,2,red";
        QTest::newRow("list of objects") << "application/json; charset=utf-8"
                                         << R"([{"color":"red","length":5.1,"width":null}])" << "5.1,,red";
        QTest::newRow("rows of cells") << "application/json" << R"({"rows":[[1,2,"red"],[3,4,"blue"]]})"
                                       << "1,2,red;3,4,blue";
        QTest::newRow("CSV with a header") << "text/csv" << "id,color,width,length\n9,red,2,5.1\n8,blue,NA,3\n"
                                           << "5.1,2,red;3,,blue";
        QTest::newRow("CSV without one") << "text/csv" << "5.1,2,red\r\n3,4,blue" << "5.1,2,red;3,4,blue";
        QTest::newRow("semicolons") << "text/csv" << "color;width;length\nred;2;5.1\n" << "5.1,2,red";
        QTest::newRow("tabs") << "Text/Tab-Separated-Values" << "color\twidth\tlength\nred\t2\t5.1\n" << "5.1,2,red";
        QTest::newRow("curl's default, JSON") << "application/x-www-form-urlencoded"
                                              << R"( {"color":"red","length":5,"width":2})" << "5,2,red";
        QTest::newRow("nothing said, CSV") << "" << "5.1,2,red" << "5.1,2,red";
    }
    void rowsAreReadByTheirNames() {
        QFETCH(const QString, type);
        QFETCH(const QString, body);
        QFETCH(const QString, rows);
        const std::string text = body.toStdString();
        const auto read = readPredict(flowers(), type.toStdString(), "top=3&temperature=0.5", bodyOf(text));
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QCOMPARE(rowsText(*read), rows);
        QCOMPARE(read->parameters, std::string(R"({"top":3,"temperature":0.5})"));
    }

    void textsAndPicturesAreRead() {
        const auto text = [](const char* type, const std::string& body) {
            const auto read = readPredict(ofKind(InputKind::Text), type, {}, bodyOf(body));
            return read ? read->texts : std::vector<std::string>{read.error().text()};
        };
        QCOMPARE(text("text/plain", "To be"), (std::vector<std::string>{"To be"}));
        QCOMPARE(text("application/json", R"({"text":"To be"})"), (std::vector<std::string>{"To be"}));
        QCOMPARE(text("application/json", R"(["a","b"])"), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(text("application/json", R"({"texts":["a","b"]})"), (std::vector<std::string>{"a", "b"}));
        const std::string picture = "\x89PNG…";
        for (const char* type : {"image/png", "application/octet-stream", "", "application/x-www-form-urlencoded"}) {
            const auto read = readPredict(ofKind(InputKind::Image), type, {}, bodyOf(picture));
            QVERIFY(read.ok());
            QCOMPARE(static_cast<const void*>(read->image.data()), static_cast<const void*>(picture.data()));
        }
    }

    // Bad inputs: bodies of /predict of another kind than the model takes, without a column, or broken.
    void badBodiesAreExplained_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("query");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("where");
        const int row = int(InputKind::Row), text = int(InputKind::Text), image = int(InputKind::Image);
        QTest::newRow("picture for rows") << row << "image/png" << "" << QByteArray("x") << "Content-Type";
        QTest::newRow("rows for a picture") << image << "text/csv" << "" << QByteArray("x") << "Content-Type";
        QTest::newRow("a form") << image << "multipart/form-data; boundary=x" << "" << QByteArray("x")
                                << "Content-Type";
        QTest::newRow("anything for tensors")
            << int(InputKind::Tensor) << "" << "" << QByteArray("x") << "Content-Type";
        QTest::newRow("empty") << image << "image/png" << "" << QByteArray() << "body";
        QTest::newRow("no JSON") << row << "application/json" << "" << QByteArray("{") << "body";
        QTest::newRow("a number") << row << "application/json" << "" << QByteArray("5") << "body";
        QTest::newRow("no rows") << row << "application/json" << "" << QByteArray("{\"rows\":[]}") << "rows";
        QTest::newRow("missing column") << row << "application/json" << ""
                                        << QByteArray("{\"rows\":[{\"lenght\":1,\"width\":1,\"color\":\"red\"}]}")
                                        << "rows[0]";
        QTest::newRow("too few cells") << row << "application/json" << "" << QByteArray("[[1,2]]") << "body[0]";
        QTest::newRow("a list for a cell")
            << row << "application/json" << "" << QByteArray("[[1,[2],3]]") << "body[0][1]";
        QTest::newRow("deep JSON") << row << "application/json" << "" << QByteArray(100'000, '[') << "body";
        QTest::newRow("CSV without a column")
            << row << "text/csv" << "" << QByteArray("length,color\n1,red\n") << "body, line 1";
        QTest::newRow("CSV with a short line")
            << row << "text/csv" << "" << QByteArray("length,width,color\n1,red\n") << "body, line 2";
        QTest::newRow("CSV of a header alone")
            << row << "text/csv" << "" << QByteArray("length,width,color\n") << "body";
        QTest::newRow("too many rows") << row << "text/csv" << "" << QByteArray("1,2,3\n").repeated(5000) << "body";
        QTest::newRow("no UTF-8") << text << "text/plain" << "" << QByteArray("ab\xff") << "body, byte 2";
        QTest::newRow("no text") << text << "application/json" << "" << QByteArray("{\"text\":5}") << "text";
        QTest::newRow("unknown parameter")
            << image << "image/png" << "tpo=5" << QByteArray("x") << "the part behind the ?";
        QTest::newRow("top is no number") << image << "image/png" << "top=x" << QByteArray("x") << "?top";
        QTest::newRow("top is a fraction") << image << "image/png" << "top=1.5" << QByteArray("x") << "?top";
        QTest::newRow("continue beyond its range")
            << text << "text/plain" << "continue=99999" << QByteArray("x") << "?continue";
        QTest::newRow("temperature NaN") << text << "text/plain" << "temperature=nan" << QByteArray("x")
                                         << "?temperature";
    }
    void badBodiesAreExplained() {
        QFETCH(const int, kind);
        QFETCH(const QString, type);
        QFETCH(const QString, query);
        QFETCH(const QByteArray, body);
        QFETCH(const QString, where);
        const auto input = static_cast<InputKind>(kind);
        const ModelSignature signature = input == InputKind::Row ? flowers() : ofKind(input);
        const std::string bytes = body.toStdString();
        const auto read = readPredict(signature, type.toStdString(), query.toStdString(), bodyOf(bytes));
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().where), where);
        QVERIFY(!read.error().remedy.empty());
        QCOMPARE(predictStatus(signature, type.toStdString()), where == "Content-Type" ? 415 : 0);
        if (body.contains("lenght")) QVERIFY(read.error().remedy.find("lenght") != std::string::npos);
    }

    // Feature: a service's figures are read by Prometheus, whose own tool has nothing to say about them.
    void prometheusReadsTheFigures() {
        ServiceFigures figures;
        figures.codes = {{"m", "otter@300", 200, 12}, {"m \"\\\n", "otter@300", 503, 1}};
        const FigureBuckets buckets{{0.001, 0.01}, {3, 4, 5}, 1.25};
        figures.versions = {{"m", "otter@300", buckets, buckets, buckets, {{1, 2}, {1, 1, 0}, 3}}};
        figures.startedAt = 1.7e9;
        const std::string text = prometheusText(figures);
        const auto has = [&text](const char* line) { return text.find(line) != std::string::npos; };
        QVERIFY(has("trainyard_requests_total{model=\"m\",version=\"otter@300\",code=\"200\"} 12\n"));
        QVERIFY(has("trainyard_requests_total{model=\"m \\\"\\\\\\n\",version=\"otter@300\",code=\"503\"} 1\n"));
        QVERIFY(has("trainyard_request_seconds_bucket{model=\"m\",version=\"otter@300\",le=\"0.01\"} 7\n"));
        QVERIFY(has("trainyard_request_seconds_bucket{model=\"m\",version=\"otter@300\",le=\"+Inf\"} 12\n"));
        QVERIFY(has("trainyard_request_seconds_count{model=\"m\",version=\"otter@300\"} 12\n"));
        for (const std::string& each : {text, prometheusText({})}) {
            if (QStandardPaths::findExecutable("promtool").isEmpty()) QSKIP("promtool is not installed");
            QProcess tool;
            tool.start("promtool", {"check", "metrics"});
            tool.write(each.data(), static_cast<qint64>(each.size()));
            tool.closeWriteChannel();
            QVERIFY(tool.waitForFinished(20000));
            const QByteArray said = tool.readAllStandardError() + tool.readAllStandardOutput();
            QVERIFY2(tool.exitCode() == 0 && said.isEmpty(), said.constData());
        }
    }

    void documentsNameWhatThereIs() {
        const auto metadata = nlohmann::json::parse(modelMetadata(flowers(), {"otter@200", "otter@300"}));
        QCOMPARE(metadata["inputs"][0]["shape"][0].get<int>(), -1);
        QCOMPARE(metadata["versions"].size(), std::size_t(2));
        QCOMPARE(metadata["parameters"]["columns"][2]["words"][1].get<std::string>(), std::string("blue"));
        const auto api = nlohmann::json::parse(openApi("garden", {flowers(), ofKind(InputKind::Tensor)}));
        for (const char* path : {"/predict", "/predict/flowers", "/v2/models/flowers/infer", "/v2", "/metrics",
                                 "/predict/flowers/versions/{version}", "/v2/models/flowers/versions/{version}/infer"})
            QVERIFY2(api["paths"].contains(path), path);
        const auto& body = api["paths"]["/predict"]["post"]["requestBody"]["content"]["application/json"]["schema"];
        QCOMPARE(body["properties"]["rows"]["items"]["properties"]["color"]["enum"].size(), std::size_t(2));
        for (const auto& [path, item] : api["paths"].items()) // every address of the document is one
            for (const auto& [method, what] : item.items())
                QVERIFY(routeOf(method == "post" ? HttpMethod::Post : HttpMethod::Get, path).kind <
                        RouteKind::NotFound);
        const auto& one = api["paths"]["/predict/flowers/versions/{version}"]["post"]["parameters"];
        QCOMPARE(one.back()["in"].get<std::string>(), std::string("path"));
        const auto of = routeOf(HttpMethod::Post, "/predict/flowers/versions/otter@200");
        QCOMPARE(of.kind, RouteKind::Predict);
        QCOMPARE(of.version, std::string("otter@200"));
        QVERIFY(nlohmann::json::parse(serverMetadata())["extensions"][0] == "binary_tensor_data");
        QCOMPARE(errorBody(inputError("a", "b")), std::string(R"({"error":"a","where":"b"})"));
    }

    void signaturesSurviveTheirText() {
        ModelSignature signature = flowers();
        signature.targets = {"price"};
        signature.units = {"€"};
        const auto read = signatureFromJson(signatureToJson(signature));
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QVERIFY(*read == signature);
        QCOMPARE(signature.inputs[0].elementsOfRow(), std::size_t(3));
        QCOMPARE((TensorSignature{"x", TensorType::Fp32, {-1, 2147483648, 2147483648, 2147483648}}.elementsOfRow()),
                 std::size_t(0));
    }

    // Bad inputs: signatures that no replica writes.
    void badSignaturesAreRefused_data() {
        QTest::addColumn<QString>("json");
        const char* const rest = R"(,"kind":"row","outputs":[{"name":"y","datatype":"FP32","shape":[-1]}])";
        const auto row = [&](const char* name, const QString& inputs) {
            QTest::newRow(name) << R"({"name":"m","inputs":)" + inputs + rest + "}";
        };
        QTest::newRow("no JSON") << "x";
        QTest::newRow("no name") << "{}";
        QTest::newRow("unknown kind") << R"({"name":"m","kind":"sound"})";
        row("no tensors", "[]");
        row("a tensor is no object", "[5]");
        row("no datatype", R"([{"name":"x","shape":[-1]}])");
        row("unknown datatype", R"([{"name":"x","datatype":"FP16","shape":[-1]}])");
        row("no shape", R"([{"name":"x","datatype":"FP32"}])");
        row("dimension 0", R"([{"name":"x","datatype":"FP32","shape":[0]}])");
        row("huge dimension", R"([{"name":"x","datatype":"FP32","shape":[9e18]}])");
        row("nine dimensions", R"([{"name":"x","datatype":"FP32","shape":[1,1,1,1,1,1,1,1,1]}])");
        row("one name twice",
            R"([{"name":"x","datatype":"FP32","shape":[1]},{"name":"x","datatype":"FP32","shape":[1]}])");
    }
    void badSignaturesAreRefused() {
        QFETCH(const QString, json);
        const auto read = signatureFromJson(json.toStdString());
        QVERIFY(!read);
        QVERIFY(!read.error().where.empty() && !read.error().remedy.empty());
    }
};

QTEST_GUILESS_MAIN(ServeProtocolTest)
#include "serve_protocol_test.moc"
