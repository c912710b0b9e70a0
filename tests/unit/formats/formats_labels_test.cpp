// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of pictures in files: tables, JSON lines, lists, COCO, VOC; and the names of many files.
#include "engine/formats/folders/folder_names.h"
#include "engine/formats/labels/file_finder.h"
#include "engine/formats/labels/label_file.h"
#include "tests/texts.h"
#include "tests/unit/file_bytes.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace trainyard;
using namespace trainyard::tests;
using formats::LabelUse;
using trainyard::test::compareText;

namespace {

// "a.jpg: cat, dog [train]; b.jpg: 1.5"
QString shownTable(const formats::LabelTable& table) {
    QStringList rows;
    for (const auto& row : table.rows) {
        QStringList words;
        for (const auto& word : row.words) words << QString::fromStdString(word);
        for (const float number : row.numbers) words << QString::number(static_cast<double>(number));
        rows << QString::fromStdString(row.file) + ": " + words.join(", ") +
                    (row.part.empty() ? QString() : " [" + QString::fromStdString(row.part) + "]");
    }
    return rows.join("; ");
}

} // namespace

class FormatsLabelsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string in(const QString& name) const { return m_folder.filePath(name).toStdString(); }

private Q_SLOTS:
    void readsLabels_data();
    void readsLabels();
    void refusesLabels_data();
    void refusesLabels();
    void readsGroups();
    void readsFoldersOfVoc();
    void findsPictures();
    void namesComeSortedWithTheirKinds();
};

// Feature: labels of pictures in files.
void FormatsLabelsTest::readsLabels_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("use");
    QTest::addColumn<QString>("rows");
    const auto row = [](const char* what, const char* name, const char* text, LabelUse use, const char* rows) {
        QTest::newRow(what) << QString(name) << QByteArray(text) << static_cast<int>(use) << QString(rows);
    };
    row("table", "l.csv", "file,label\na.jpg,cat\nb/c d.jpg,dog\n", LabelUse::Class, "a.jpg: cat; b/c d.jpg: dog");
    row("table with parts", "l.csv", "Split,Image_Path,Class\ntrain,a.jpg,cat\nval,b.jpg,dog\n", LabelUse::Class,
        "a.jpg: cat [train]; b.jpg: dog [val]");
    row("no header", "l.csv", "a.jpg,cat\nb.jpg,dog\n", LabelUse::Class, "a.jpg: cat; b.jpg: dog");
    row("other columns", "l.csv", "id,filename,label,url\n1,a.jpg,cat,x\n2,b.jpg,dog,y\n", LabelUse::Class,
        "a.jpg: cat; b.jpg: dog");
    row("the one other column", "l.csv", "image;breed\na.jpg;cat\nb.jpg;dog\n", LabelUse::Class,
        "a.jpg: cat; b.jpg: dog");
    row("tabs", "l.tsv", "path\tlabel\na.jpg\tcat\n", LabelUse::Class, "a.jpg: cat");
    row("several in a cell", "l.csv", "file,tags\na.jpg,cat; dog\nb.jpg,\nc.jpg,dog|bird|\n", LabelUse::Several,
        "a.jpg: cat, dog; b.jpg: ; c.jpg: dog, bird");
    row("columns of 0 and 1", "l.csv", "image,cat,dog\na.jpg,1,1\nb.jpg,0,0\n", LabelUse::Several,
        "a.jpg: cat, dog; b.jpg: ");
    row("numbers", "l.csv", "file,age\na.jpg,31.5\nb.jpg,-2e1\n", LabelUse::Numbers, "a.jpg: 31.5; b.jpg: -20");
    row("several numbers", "l.csv", "file,x,y\na.jpg,1,2\n", LabelUse::Numbers, "a.jpg: 2");
    row("JSON lines", "l.jsonl",
        "{\"file\": \"a.jpg\", \"label\": \"cat\", \"split\": \"val\"}\n\n{\"image\": \"b.jpg\", \"label\": 7}\n",
        LabelUse::Class, "a.jpg: cat [val]; b.jpg: 7");
    row("JSON lines, several", "l.jsonl", R"({"path": "a.jpg", "labels": ["cat", "dog"]})", LabelUse::Several,
        "a.jpg: cat, dog");
    row("JSON lines, numbers", "l.jsonl", R"({"path": "a.jpg", "target": [1, 2.5]})", LabelUse::Numbers,
        "a.jpg: 1, 2.5");
    row("list", "train.txt", "a.jpg 3\r\nmy cat.jpg\t12\nold dog.jpg 4\n", LabelUse::Class,
        "a.jpg: 3; my cat.jpg: 12; old dog.jpg: 4");
    row("list of files", "train.txt", "cat/a.jpg\ndog/b c.jpg\n", LabelUse::Class, "cat/a.jpg: cat; dog/b c.jpg: dog");
    row("list, several", "train.txt", "a.jpg 3,4\n", LabelUse::Several, "a.jpg: 3, 4");
    row("COCO", "instances.json",
        R"({"info": {"images": [{"id": 9}]}, "images": [{"id": 1, "file_name": "a.jpg", "license": {"name": "x"}},
            {"id": 2, "file_name": "b.jpg"}], "annotations": [{"id": 5, "image_id": 1, "category_id": 18,
            "bbox": [1, 2, 3, 4], "segmentation": [[1.5, 2]]}, {"image_id": 1, "category_id": 17},
            {"image_id": 1, "category_id": 18}],
            "categories": [{"id": 18, "name": "dog"}, {"id": 17, "name": "cat"}]})",
        LabelUse::Several, "a.jpg: dog, cat; b.jpg: ");
}

void FormatsLabelsTest::readsLabels() {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(int, use);
    QFETCH(QString, rows);
    writeBytes(m_folder.filePath(name), text);
    const formats::LabelOptions options{.use = static_cast<LabelUse>(use)};
    const auto table = formats::readLabels(in(name), options);
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    QCOMPARE(shownTable(*table), rows);
    const auto again = formats::labelsOf(text.toStdString(), name.toStdString(), options);
    QVERIFY(again.ok() && shownTable(*again) == rows);
    if (name.endsWith(".json")) QCOMPARE(table->classes, (std::vector<std::string>{"cat", "dog"}));
}

// Bad inputs: files of labels.
void FormatsLabelsTest::refusesLabels_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("use");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* what, const char* name, const QByteArray& text, LabelUse use, const char* says) {
        QTest::newRow(what) << QString(name) << text << static_cast<int>(use) << QString(says);
    };
    const LabelUse one = LabelUse::Class, several = LabelUse::Several, numbers = LabelUse::Numbers;
    row("another kind", "l.xlsx", "PK", one, "l.xlsx: is no file of labels of a kind that is read");
    row("empty table", "l.csv", "", one, "l.csv, line 1: is empty");
    row("header alone", "l.csv", "file,label\n", one, "l.csv: has a header and no line below it");
    row("one column", "l.csv", "label\ncat\n", one, "l.csv: has no column of files among \"label\"");
    row("no labels", "l.csv", "file,a,b\nx.jpg,1,2\n", one, "l.csv: has no column of labels among");
    row("two of labels", "l.csv", "file,label,tags\nx.jpg,1,2\n", one, "l.csv: has several columns of labels");
    row("no label", "l.csv", "file,label\na.jpg,cat\nb.jpg,\n", one, "l.csv, line 3, column 2: has no label");
    row("no file", "l.csv", "file,label\n,cat\n", one, "l.csv, line 2: names no file");
    row("short line", "l.csv", "file,label\na.jpg\n", one, "l.csv, line 2: has 1 cells, and the first line has 2");
    row("no number", "l.csv", "file,age\na.jpg,old\n", numbers, "l.csv, line 2, column 2: \"old\" is not a number");
    row("nan", "l.csv", "file,age\na.jpg,nan\n", numbers, "l.csv, line 2, column 2: \"nan\" is not a number");
    row("neither 0 nor 1", "l.csv", "file,cat,dog\na.jpg,1,2\n", several,
        "l.csv, line 2, column 3: \"2\" is neither 0 nor 1");
    row("no JSON", "l.jsonl", "{\"file\": \"a.jpg\", \"label\": \"cat\"}\n{\n", one, "l.jsonl, line 2: is not JSON");
    row("JSON of another kind", "l.jsonl", "[1]", one, "l.jsonl, line 1: is no JSON object");
    row("JSON without a label", "l.jsonl", "{\"file\": \"a.jpg\"}", one, "l.jsonl, line 1: has no label");
    row("two labels", "l.jsonl", R"({"file": "a.jpg", "label": ["a", "b"]})", one, "l.jsonl, line 1: has 2 labels");
    row("not UTF-8", "l.jsonl", "{\"file\": \"\xff\"}", one, "l.jsonl, line 1: is not UTF-8");
    row("fewer numbers", "l.jsonl", "{\"file\": \"a\", \"y\": [1, 2]}\n{\"file\": \"b\", \"y\": 1}", numbers,
        "l.jsonl, line 2: has 1 numbers, and the first line has 2");
    row("list without labels", "l.txt", "a.jpg\n", one, "l.txt, line 1: has no label, and the file is in no folder");
    row("a line of 2 MB", "l.txt", QByteArray(2 << 20, 'a'), one, "l.txt, line 1: is longer than 1 MB");
    row("another JSON", "l.json", "{\"a\": 1}", several, "l.json: has no \"images\"");
    row("COCO, cut", "l.json", R"({"images": [{"id": 1)", several, "l.json: is not JSON at byte ");
    row("COCO, deep", "l.json", QByteArray(100'000, '['), several, "l.json: is nested more than 64 deep");
    row("COCO, an image twice", "l.json",
        R"({"images": [{"id": 1, "file_name": "a"}, {"id": 1, "file_name": "b"}],
            "categories": [{"id": 1, "name": "c"}]})",
        several, "l.json: the image 1 has no file_name, or is there twice");
    row("COCO, of no image", "l.json",
        R"({"images": [{"id": 1, "file_name": "a"}], "categories": [{"id": 1, "name": "c"}],
            "annotations": [{"image_id": 2, "category_id": 1}]})",
        several, "l.json: an annotation is of the image 2, which is not in the file");
    row("COCO for numbers", "l.json", "{}", numbers, "l.json: names classes, and a regression needs numbers");
}

void FormatsLabelsTest::refusesLabels() {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(int, use);
    QFETCH(QString, says);
    writeBytes(m_folder.filePath(name), text);
    const auto table = formats::readLabels(in(name), {.use = static_cast<LabelUse>(use)});
    QVERIFY(!table.ok());
    compareText(QString::fromStdString(table.error().text()), says);
    QVERIFY(table.error().kind == ErrorKind::Input && !table.error().remedy.empty());
}

// Groups in a table and in JSON lines; other files have no columns for them.
void FormatsLabelsTest::readsGroups() {
    const formats::LabelOptions options{.use = LabelUse::Class, .group = "who"};
    const auto said = [&](const char* text, const char* name) {
        const auto table = formats::labelsOf(text, name, options);
        return QString::fromStdString(table ? table->rows.front().group : table.error().text());
    };
    QCOMPARE(said("file,who,label\na.jpg,p 7,cat\n", "l.csv"), QString("p 7"));
    QCOMPARE(said("{\"file\": \"a.jpg\", \"who\": 7, \"label\": \"cat\"}\n", "l.jsonl"), QString("7"));
    QVERIFY(said("file,label\na.jpg,cat\n", "l.csv").startsWith("l.csv: has no column \"who\"; there are"));
    QVERIFY(said("{\"file\": \"a.jpg\", \"label\": \"cat\"}\n", "l.jsonl").startsWith("l.jsonl, line 1: has no group"));
    QVERIFY(said("a.jpg cat\n", "l.txt").startsWith("l.txt: has no columns, and who is to be one (give the labels in"));
}

void FormatsLabelsTest::readsFoldersOfVoc() {
    QVERIFY(QDir().mkpath(m_folder.filePath("voc")));
    writeBytes(m_folder.filePath("voc/1.xml"),
               "<?xml version=\"1.0\"?><annotation><!-- > --><filename>a &amp; b.jpg</filename><object><name>person"
               "</name><part><name>head</name></part></object><object><name> dog\n</name></object><object>"
               "<name>dog</name></object><segmented/></annotation>");
    const auto table = formats::readLabels(in("voc"), {.use = LabelUse::Several});
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    QCOMPARE(shownTable(*table), "a & b.jpg: person, dog");
    // Annotations of VOC that are malformed.
    for (const auto& [text, says] : std::initializer_list<std::pair<const char*, const char*>>{
             {"<annotation><filename>a.jpg</filename>", "2.xml: ends before <annotation> is closed"},
             {"<annotation></object>", "2.xml: closes a tag that is not open"},
             {"<annotation><object><name></name></object></annotation>", "2.xml: has an object without a name"},
             {"<annotation></annotation>", "2.xml: names no picture"},
             {"<annotation", "2.xml: ends within a tag"}}) {
        writeBytes(m_folder.filePath("voc/2.xml"), text);
        const auto bad = formats::readLabels(in("voc"), {.use = LabelUse::Several});
        QVERIFY(!bad.ok());
        compareText(QString::fromStdString(bad.error().text()), says);
    }
}

void FormatsLabelsTest::findsPictures() {
    QVERIFY(QDir().mkpath(m_folder.filePath("set/2017/deep")) && QDir().mkpath(m_folder.filePath("set/other")));
    for (const char* name : {"set/a.jpg", "set/2017/deep/b.jpg", "set/2017/twice.png", "set/other/twice.png"})
        writeBytes(m_folder.filePath(name), "x");
    formats::FileFinder finder(in("set"), in("."));
    for (const auto& [written, found] : std::initializer_list<std::pair<const char*, const char*>>{
             {"a.jpg", "set/a.jpg"},
             {"a", "set/a.jpg"},         // the ending is not written
             {"set/a.jpg", "set/a.jpg"}, // from the folder of the labels
             {"b.jpg", "set/2017/deep/b.jpg"},
             {"other/twice.png", "set/other/twice.png"},
             {"2017/../other/twice.png", "set/other/twice.png"},
             {"2017/b.jpg", "set/2017/deep/b.jpg"}, // below the folder that is written
             {"other/b.jpg", ""},                   // the folder is there, and the picture not: no other is meant
             {"elsewhere/b.jpg", "set/2017/deep/b.jpg"},
             {"c.jpg", ""}}) {
        const auto file = finder.find(written);
        QVERIFY2(file.ok(), file ? "" : file.error().text().c_str());
        QCOMPARE(file->string(), *found ? in(found) : std::string());
    }
    const auto twice = finder.find("twice.png");
    QVERIFY(!twice.ok());
    compareText(QString::fromStdString(twice.error().text()), "is in several folders: ");
    QCOMPARE(*finder.nearest("aa.jpg"), std::string("a.jpg"));
    QCOMPARE(*finder.nearest("nothing of that kind"), std::string());
    for (const char* way : {"other/twice.png", "2017/twice.png"}) // it is in several folders
        QCOMPARE(*finder.nearest(std::string(way).insert(std::string(way).size() - 4, "x")), std::string(way));
}

void FormatsLabelsTest::namesComeSortedWithTheirKinds() {
    using formats::NameKind;
    QVERIFY(QDir().mkpath(m_folder.filePath("names/folder")));
    for (const char* name : {"names/b", "names/a", "names/aaaaaaaab", "names/aaaaaaaaa"})
        writeBytes(m_folder.filePath(name), "xyz");
    QVERIFY(QFile::link("nowhere", m_folder.filePath("names/link")));
    const auto names = formats::namesIn(in("names"));
    QVERIFY(names.ok());
    QStringList found;
    for (std::size_t i = 0; i < names->size(); ++i)
        found << QString::fromUtf8(names->name(i).data(), static_cast<qsizetype>(names->name(i).size())) +
                     QString::number(static_cast<int>(names->kind(i)));
    QCOMPARE(found, (QStringList{"a0", "aaaaaaaaa0", "aaaaaaaab0", "b0", "folder1", "link2"}));
    QVERIFY(formats::kindBehind(in("names/link")) == NameKind::Link);
    QVERIFY(formats::kindBehind(in("names/folder")) == NameKind::Folder);
    formats::FileNames files, more;
    files.add(files.folder(in("names")), "a");
    more.add(more.folder(in("names")), "b");
    more.add(more.folder(in("names/folder")), "none");
    files.append(more);
    QCOMPARE(files.size(), 3u);
    QCOMPARE(std::vector<std::filesystem::path>(files.begin(), files.end()),
             (std::vector<std::filesystem::path>{in("names/a"), in("names/b"), in("names/folder/none")}));
    const auto facts = formats::factsOf(files);
    QVERIFY(facts[0].size == 3 && facts[1].size == 3 && facts[2].size == -1 && facts[0].changed > 0);
}

QTEST_GUILESS_MAIN(FormatsLabelsTest)
#include "formats_labels_test.moc"
