// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table.h"
#include "tests/unit/torch/data_files.h"

#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::tests;
using formats::Header;

class FormatsTableTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<formats::Table> read(const QByteArray& content, const formats::TableOptions& options = {}) {
        const QString path = m_folder.filePath("table.csv");
        writeBytes(path, content);
        return formats::readTable(path.toStdString(), options);
    }

private Q_SLOTS:
    void readsGoodTables_data();
    void readsGoodTables();
    void readsQuotedCells();
    void sortsWords();
    void findsTheHeader_data();
    void findsTheHeader();
    void refusesBadTables_data();
    void refusesBadTables();
    void refusesAnEndlessLine();
};

void FormatsTableTest::readsGoodTables_data() {
    QTest::addColumn<QByteArray>("content");
    const QByteArray good = "a,b\n1,-2.5\n+3,4e2\n";
    QTest::newRow("plain") << good;
    QTest::newRow("no last line end") << good.chopped(1);
    QTest::newRow("CRLF") << QByteArray(good).replace("\n", "\r\n");
    QTest::newRow("CR") << QByteArray(good).replace("\n", "\r");
    QTest::newRow("blank lines") << QByteArray(good).replace("\n", "\n\n") + "\n";
    QTest::newRow("byte order mark") << "\xEF\xBB\xBF" + good;
    QTest::newRow("semicolons") << QByteArray(good).replace(",", ";");
    QTest::newRow("tabs") << QByteArray(good).replace(",", "\t");
    QTest::newRow("bars") << QByteArray(good).replace(",", "|");
    QTest::newRow("spaces around") << QByteArray(" a , b \n 1, -2.5 \n +3 ,4e2\n");
    QTest::newRow("all quoted") << QByteArray("\"a\",\"b\"\n\"1\",\"-2.5\"\n\"3\",\"4e2\"\n");
    QTest::newRow("gz") << gzipped(good);
}

void FormatsTableTest::readsGoodTables() {
    QFETCH(QByteArray, content);
    const auto table = read(content);
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    QVERIFY(table->hasHeader);
    QCOMPARE(table->columns.size(), 2u);
    QCOMPARE(table->columns[0].name, "a");
    QCOMPARE(table->columns[0].numbers, (std::vector<double>{1, 3}));
    QCOMPARE(table->columns[1].numbers, (std::vector<double>{-2.5, 400}));
}

void FormatsTableTest::readsQuotedCells() {
    const auto table = read("name,x\n\"one, \"\"two\"\"\nthree\",1\n\"\",2\n\"NA\",3\n");
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    QCOMPARE(table->columns[0].vocabulary, (std::vector<std::string>{"", "NA", "one, \"two\"\nthree"}));
    QCOMPARE(table->columns[0].words, (std::vector<std::int32_t>{2, 0, 1}));
    QCOMPARE(table->lines, (std::vector<std::int64_t>{2, 4, 5})); // the quoted line end counts
}

void FormatsTableTest::sortsWords() {
    const auto one = read("w,x\nb,1\na,2\nc,3\n"), other = read("w,x\nc,3\nb,1\na,2\n");
    QVERIFY(one.ok() && other.ok());
    QCOMPARE(one->columns[0].vocabulary, (std::vector<std::string>{"a", "b", "c"}));
    QCOMPARE(one->columns[0].vocabulary, other->columns[0].vocabulary);
    QCOMPARE(other->columns[0].words, (std::vector<std::int32_t>{2, 1, 0}));
}

void FormatsTableTest::findsTheHeader_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("given");
    QTest::addColumn<bool>("found");
    QTest::newRow("numbers: none") << QByteArray("1,2\n3,4\n") << int(Header::Auto) << false;
    QTest::newRow("one number: none") << QByteArray("red,2\nblue,4\n") << int(Header::Auto) << false;
    QTest::newRow("words: a header") << QByteArray("red,blue\n3,4\n") << int(Header::Auto) << true;
    QTest::newRow("years, said to be one") << QByteArray("2019,2020\n3,4\n") << int(Header::Yes) << true;
    QTest::newRow("words, said to be none") << QByteArray("red,blue\nblue,red\n") << int(Header::No) << false;
}

void FormatsTableTest::findsTheHeader() {
    QFETCH(QByteArray, content);
    QFETCH(int, given);
    QFETCH(bool, found);
    const auto table = read(content, {.header = static_cast<Header>(given)});
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    QCOMPARE(table->hasHeader, found);
    QCOMPARE(table->rows(), found ? 1 : 2);
    if (!found) QCOMPARE(table->columns[1].name, "column 2");
}

void FormatsTableTest::refusesBadTables_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const QByteArray head = "a,b\n1,2\n";
    QTest::newRow("empty") << QByteArray() << "line 1: is empty";
    QTest::newRow("blank") << QByteArray("\n\n\n") << ": has no rows";
    QTest::newRow("header alone") << QByteArray("a,b\n") << ": has a header and no rows";
    QTest::newRow("ragged: fewer") << head + "3\n" << "line 3: has 1 cells, and the first line has 2";
    QTest::newRow("ragged: more") << head + "3,4,5\n" << "line 3: has 3 cells, and the first line has 2";
    QTest::newRow("decimal comma between commas") << head + "1,5,2\n"
                                                  << "give every row as many cells; write 1.5 for 1,5";
    QTest::newRow("decimal comma") << QByteArray("a;b\n1;2,5\n") << "line 2, column 2 (b): \"2,5\" has a decimal comma";
    QTest::newRow("decimal comma later") << QByteArray("a;b\n1;2\n1;2,5\n")
                                         << "line 3, column 2 (b): \"2,5\" has a decimal comma";
    QTest::newRow("NUL") << head + QByteArray("3,\0\n", 4) << "line 3: has a NUL byte";
    QTest::newRow("UTF-16, little end") << QByteArray("\xFF\xFE"
                                                      "a\0,\0",
                                                      6)
                                        << "line 1: is text in UTF-16";
    QTest::newRow("UTF-16, big end") << QByteArray("\xFE\xFF"
                                                   "\0a\0,",
                                                   6)
                                     << "line 1: is text in UTF-16";
    QTest::newRow("UTF-16 without a mark") << QByteArray("a\0,\0b\0", 6) << "line 1: has a NUL byte";
    QTest::newRow("nan") << head + "nan,2\n" << "line 3, column 1 (a): \"nan\" is not a finite number";
    QTest::newRow("inf") << head + "3,-inf\n" << "line 3, column 2 (b): \"-inf\" is not a finite number";
    QTest::newRow("empty cell") << head + "3,\n" << "line 3, column 2 (b): the cell is empty";
    QTest::newRow("missing value") << head + "NA,3\n" << "line 3, column 1 (a): \"NA\" stands for a missing value";
    QTest::newRow("1e400") << head + "1e400,3\n" << "line 3, column 1 (a): \"1e400\" is outside the range of numbers";
    QTest::newRow("1e39") << head + "1e39,3\n" << "line 3, column 1 (a): \"1e39\" is outside the range of numbers";
    QTest::newRow("word among numbers") << head + "x,3\n"
                                        << "column 1 (a): \"x\" is not a number, as those above it are";
    QTest::newRow("number among words") << QByteArray("a,b\nx,1\n7,2\n")
                                        << "line 3, column 1 (a): \"7\" is a number, and those above it are words";
    QTest::newRow("number with a unit") << head + "3kg,3\n" << "\"3kg\" is not a number";
    QTest::newRow("hexadecimal") << head + "0x10,3\n" << "\"0x10\" is not a number";
    QTest::newRow("header doubled") << QByteArray("a,b,a\n1,2,3\n")
                                    << "line 1, column 3: the header names \"a\" twice, first as column 1";
    QTest::newRow("header nameless") << QByteArray("a,\"\"\n1,2\n")
                                     << "line 1, column 2: the header names no column here";
    QTest::newRow("header again") << head + "a,b\n" << "line 3: repeats the header";
    QTest::newRow("quote never closed") << head + "\"3,4\n5,6\n" << "line 3: a quoted cell is never closed";
    QTest::newRow("quote inside") << head + "5\"10,3\n" << "line 3: has a quote in the middle of a cell";
    QTest::newRow("text behind a quote") << head + "\"3\"x,4\n" << "line 3: has text after the closing quote";
    QTest::newRow("line end in a number") << head + "\"3\n\",4\n" << "line 3, column 1 (a): \"3\\n\" is not a number";
    QByteArray words = "w,x\n";
    for (int i = 0; i < 1001; ++i) words += "word" + QByteArray::number(i) + ",1\n";
    QTest::newRow("too many words") << words
                                    << "line 1002, column 1 (w): the column has more than 1000 different words";
    QTest::newRow("too many cells") << QByteArray(20'001, ',') << "line 1: has more than 20000 cells";
    QTest::newRow("gz: cut") << gzipped(head).chopped(6) << "the gzip data is cut short";
    QTest::newRow("an image") << pngHeader(8, 8) << "line 3: has a NUL byte";
}

void FormatsTableTest::refusesBadTables() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const auto table = read(content);
    QVERIFY(!table.ok());
    const QString text = QString::fromStdString(table.error().text());
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY2(text.startsWith(m_folder.filePath("table.csv")), qPrintable(text));
    QVERIFY(table.error().kind == ErrorKind::Input && !table.error().remedy.empty());
}

// Ten GiB in one line, as a file with a hole: refused after its first MiB.
void FormatsTableTest::refusesAnEndlessLine() {
    const QString path = m_folder.filePath("table.csv");
    const auto made = read("a,b\n1," + QByteArray(5 << 20, '7') + "\n");
    QVERIFY(!made.ok());
    QVERIFY2(made.error().text().find("line 2: the line is longer than 4 MiB") != std::string::npos,
             made.error().text().c_str());
    writeBytes(path, "a,b\n1,2\n");
    QVERIFY(QFile::resize(path, qint64{10} << 30));
    const auto hole = formats::readTable(path.toStdString());
    QVERIFY(!hole.ok());
    QVERIFY2(hole.error().text().find("line 3: has a NUL byte") != std::string::npos, hole.error().text().c_str());
}

QTEST_GUILESS_MAIN(FormatsTableTest)
#include "formats_table_test.moc"
