// SPDX-License-Identifier: GPL-3.0-or-later
// Files of settings with some of them changed: what is changed, what stays, and what is refused.
#include "engine/program/config/edit_config.h"
#include "tests/texts.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::program;
using trainyard::test::text;

namespace {

constexpr const char* kYaml = R"(# settings
---
train:            # a group
  lr: 0.1   # the rate
  "betas": [0.9, 0.999]
  sched: {name: cos, warm: 5, "q k": 1}
  empty:
  note: |
    lr: 5
  text: this goes
    on
  url: http://x.y/z#frag
layers:
- width: 64
  act: 'relu'
- {width: 32}
base: &b
  size: 1
use: *b
a.b: 1
multi: [1,
   2, # c
   3]
twice: 1
twice: 2
)";
constexpr const char* kToml = R"(# settings
name = "x"
a.b.c = 1   # dotted
[train]
lr = 1e-3
betas = [0.9,
  0.999, # c
]
inline = { x = 1, y.z = "q" }
text = """
lr = 5
"""
"quo ted" = 'lit # no'
[[layer]]
w = 1
[[layer]]
w = 2
)";
constexpr const char* kJson = "{\"train\": {\"lr\": 0.1, \"betas\":[0.9, 0.99]}, \"n\": null, "
                              "\"s\": \"a,\\\"}b\"}\n";

const char* settingsIn(ConfigFormat format) {
    return format == ConfigFormat::Yaml ? kYaml : format == ConfigFormat::Toml ? kToml : kJson;
}

} // namespace

Q_DECLARE_METATYPE(ConfigFormat)

class EditConfigTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: values of a YAML, JSON or TOML file are replaced where they stand; every other byte stays.
    void valuesAreReplaced_data() {
        QTest::addColumn<ConfigFormat>("format");
        QTest::addColumn<QString>("name");
        QTest::addColumn<spec::ArgumentValue>("value");
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        const auto row = [](ConfigFormat format, const char* name, const spec::ArgumentValue& value, const char* before,
                            const char* after) {
            QTest::addRow("%d %s to %s", static_cast<int>(format), name, after)
                << format << QString(name) << value << QByteArray(before) << QByteArray(after);
        };
        const auto yaml = ConfigFormat::Yaml, toml = ConfigFormat::Toml, json = ConfigFormat::Json;
        row(yaml, "train.lr", 1e-5, "lr: 0.1   #", "lr: 1.0e-05   #"); // Python takes 1e-05 for a text
        row(yaml, "train.lr", std::int64_t{3}, "lr: 0.1   #", "lr: 3   #");
        row(yaml, "train.betas", std::vector<double>{0.5, 1}, "[0.9, 0.999]", "[0.5, 1.0]");
        row(yaml, "train.betas.1", 0.5, "0.999", "0.5");
        row(yaml, "train.sched.name", std::string("a: \"b\"\n"), "name: cos", "name: \"a: \\\"b\\\"\\n\"");
        row(yaml, "train.sched.q k", true, "\"q k\": 1", "\"q k\": true");
        row(yaml, "train.empty", std::int64_t{1}, "empty:\n", "empty: 1\n");
        row(yaml, "train.url", std::string("x"), "http://x.y/z#frag", "\"x\"");
        row(yaml, "layers.0.width", std::int64_t{9}, "width: 64", "width: 9");
        row(yaml, "layers.1.width", std::int64_t{9}, "width: 32", "width: 9");
        row(yaml, "a.b", std::int64_t{7}, "a.b: 1", "a.b: 7");
        row(yaml, "multi", std::vector<double>{4}, "[1,\n   2, # c\n   3]", "[4.0]");
        row(toml, "train.lr", 2.0, "lr = 1e-3", "lr = 2.0");
        row(toml, "a.b.c", std::int64_t{2}, "a.b.c = 1 ", "a.b.c = 2 ");
        row(toml, "train.betas", std::vector<std::string>{"x"}, "[0.9,\n  0.999, # c\n]", "[\"x\"]");
        row(toml, "train.inline.y.z", std::string("w"), "y.z = \"q\"", "y.z = \"w\"");
        row(toml, "train.quo ted", false, "'lit # no'", "false");
        row(toml, "layer.1.w", std::int64_t{5}, "w = 2", "w = 5");
        row(json, "train.lr", 0.5, "\"lr\": 0.1", "\"lr\": 0.5");
        row(json, "n", std::string("\t"), "null", "\"\\t\"");
        row(json, "s", std::int64_t{1}, "\"a,\\\"}b\"", "1");
    }
    void valuesAreReplaced() {
        QFETCH(ConfigFormat, format);
        QFETCH(QString, name);
        QFETCH(spec::ArgumentValue, value);
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        const QByteArray whole(settingsIn(format));
        QCOMPARE(whole.count(before), 1);
        const auto edited = withSettings(whole.toStdString(), format, {{name.toStdString(), value}}, "settings");
        QVERIFY2(edited.ok(), text(edited).c_str());
        QCOMPARE(QByteArray::fromStdString(*edited), QByteArray(whole).replace(before, after));
    }
    void severalAtOnce() {
        const auto edited = withSettings(kJson, ConfigFormat::Json,
                                         {{"train.lr", std::int64_t{1}}, {"n", std::int64_t{2}}, {"s", true}}, "x");
        QCOMPARE(edited.valueOr(""),
                 std::string("{\"train\": {\"lr\": 1, \"betas\":[0.9, 0.99]}, \"n\": 2, \"s\": true}\n"));
    }
    // Bad inputs: values of a file of settings that cannot be set, and files that are not understood.
    void refused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* file, const QByteArray& content, const char* name, const char* part) {
            QTest::addRow("%s in %s %s", name, file, content.left(20).constData())
                << QString(file) << content << QString(name) << QString(part);
        };
        row("a.yaml", kYaml, "train.lrr", "the nearest is \"train.lr\"");
        row("a.yaml", kYaml, "train", "line 3");
        row("a.yaml", kYaml, "train.note", "line 8: \"train.note\" cannot be set");
        row("a.yaml", kYaml, "train.text", "over several lines");
        row("a.yaml", kYaml, "use", "has an anchor");
        row("a.yaml", kYaml, "twice", "is there twice");
        row("a.yaml", "a: 1\n---\nb: 1\n", "a", "line 2: a second document");
        row("a.yaml", "a:\n\tb: 1\n", "a", "line 2: a tab before a name");
        row("a.yaml", "a: [1, 2\n", "a", "line 1: this bracket is never closed");
        row("a.yaml", "a: \"x\n", "a", "line 1: this text has no end");
        row("a.yaml", "a: 1\n  b: 2\n", "b", "has no \"b\""); // a text of two lines
        row("a.yaml", "a:\n    b: 1\n  c: 2\n", "a", "line 3: the indentation");
        row("a.yaml", "? a\n: b\n", "a", "is not understood");
        row("a.yaml", "just text\n", "a", "has no names");
        row("a.yaml", "", "a", "is empty");
        row("a.yaml", QByteArray("[").repeated(100'000), "a", "deeper than 100");
        row("a.yaml", QByteArray("- ").repeated(100'000) + "1", "a", "deeper than 100");
        row("a.json", QByteArray("[").repeated(100'000), "a", "deeper than 100");
        row("a.json", "{\"a\": 1,}", "a", "line 1: is no JSON");
        row("a.json", "{\"a\": 1} x", "a", "is no JSON");
        row("a.json", "[" + QByteArray("1,").repeated(20'000) + "1]", "a", "more than 10,000 values");
        row("a.toml", "[a\nb = 1\n", "a", "line 1: is no TOML");
        row("a.toml", "a = 1\n[a]\nb = 1\n", "a", "line 2: is no TOML");
        row("a.toml", "a = 'x\n", "a", "has no end");
        row("a.toml", "x = " + QByteArray("[").repeated(100'000), "x", "deeper than 100");
        row("a.ini", "a = 1\n", "a", "takes .yaml, .yml, .json and .toml");
    }
    void refused() {
        QFETCH(QString, file);
        QFETCH(QByteArray, content);
        QFETCH(QString, name);
        QFETCH(QString, part);
        QTemporaryDir folder;
        QFile written(folder.filePath(file));
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(content);
        written.close();
        const auto edited = withSettings(std::filesystem::path(folder.filePath(file).toStdString()),
                                         {{name.toStdString(), std::int64_t{1}}});
        QVERIFY(!edited.ok());
        QVERIFY2(edited.error().text().find(part.toStdString()) != std::string::npos, text(edited).c_str());
        QVERIFY(!edited.error().remedy.empty());
        QCOMPARE(edited.error().kind, ErrorKind::Input);
    }
    void aValueAndAPartOfIt() {
        const auto edited =
            withSettings(kJson, ConfigFormat::Json, {{"train.betas", true}, {"train.betas.0", true}}, "x");
        QVERIFY(!edited.ok());
        QVERIFY(edited.error().text().find("a part of it") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(EditConfigTest)
#include "edit_config_test.moc"
