// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/table.h"
#include "engine/formats/table_header.h"
#include "tests/unit/torch/data_files.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

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
    void judgesFirstLines_data();
    void judgesFirstLines();
    void readsNumbersAsTheyAreWritten_data();
    void readsNumbersAsTheyAreWritten();
    void tellsWhatWordsLookLike_data();
    void tellsWhatWordsLookLike();
    void missingCellsAreCountedLeftOutOrKept_data();
    void missingCellsAreCountedLeftOutOrKept();
    void columnsThatAreNotReadAreNotJudged();
    void columnsWithoutNamesNumberTheRows_data();
    void columnsWithoutNamesNumberTheRows();
    void targetsAreNoColumnsToLeaveOut();
    void refusesBadTables_data();
    void refusesBadTables();
    void refusesAnEndlessLine();
};

// Feature: tables of classes and of numbers. Also in torch_data_files_test.
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

// The rule alone: the first line, and what stands below it.
// Feature: tables as people have them: names that are numbers or missing, an index, decimal commas, thousands, units,
// dates; what was made of them is told. Also in torch_data_files_test.
void FormatsTableTest::judgesFirstLines_data() {
    QTest::addColumn<QStringList>("lines"); // cells with commas between them
    QTest::addColumn<int>("verdict");
    const auto row = [](const char* name, const QStringList& lines, formats::HeaderVerdict verdict) {
        QTest::newRow(name) << lines << int(verdict);
    };
    constexpr auto kNames = formats::HeaderVerdict::Names, kData = formats::HeaderVerdict::Data,
                   kUnclear = formats::HeaderVerdict::Unclear;
    row("pandas' columns of an array", {"0,1,2", "0.5,1.2,1", "-0.3,0.1,0"}, kNames);
    row("the same with three classes", {"0,1,2", "0.5,1.2,2", "-0.3,0.1,0"}, kNames);
    row("many pixels", {"0,1,2,3,4", "0,0,2,255,4", "0,1,0,0,0"}, kNames);
    row("a truth table", {"0,1", "1,0", "1,1", "0,0"}, kData);
    row("counts that fit what is below", {"0,1,2", "5,1,0", "3,3,4"}, kUnclear);
    row("1, 2, 3 above whole numbers", {"1,2,3", "4,5,6"}, kUnclear);
    row("1, 2, 3 above fractions", {"1,2,3", "0.5,1.2,1"}, kUnclear);
    row("two numbers", {"1,2", "3,4"}, kData);
    row("fractions", {"0.5,1.5", "1.5,2.5"}, kData);
    row("label, 1, 2", {"label,1,2", "0,3,4"}, kNames);
    row("years and a word", {"2019,2020,grows", "3.5,4.5,yes", "2.5,1.5,no"}, kNames);
    row("years above years", {"1999,2005", "1988,2001", "2001,2010"}, kData);
    row("a word above numbers, a fraction beside it", {"unknown,0.5", "1.5,2.5"}, kUnclear);
    row("a missing value is no word", {"NA,0.5", "1.5,2.5"}, kData);
    row("an index without a name", {",a,b", "0,1.5,x"}, kNames);
    row("words that come again", {"red,blue", "blue,red", "red,red"}, kData);
    row("words that do not", {"colour,kind", "blue,red", "red,red"}, kNames);
    row("a line of words that comes again", {"x,y", "a,b", "x,y"}, kUnclear);
    row("a word that comes again, and a number", {"red,2", "blue,4", "red,1"}, kData);
    row("percentages", {"50%,1", "40%,2"}, kData);
}

void FormatsTableTest::judgesFirstLines() {
    QFETCH(QStringList, lines);
    QFETCH(int, verdict);
    std::vector<std::vector<formats::CsvCell>> records;
    for (const QString& line : lines) {
        records.emplace_back();
        for (const QString& cell : line.split(',')) records.back().push_back({cell.toStdString()});
    }
    const auto first = records.front();
    records.erase(records.begin());
    QCOMPARE(int(formats::judgeHeader(first, records)), verdict);
}

void FormatsTableTest::readsNumbersAsTheyAreWritten_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QList<double>>("first"); // the numbers of the first column
    QTest::addColumn<QString>("unit");
    const auto row = [](const char* name, const QByteArray& content, const QList<double>& first,
                        const char* unit = "") { QTest::newRow(name) << content << first << unit; };
    row("a German table", "a;b\n1,5;2\n-0,25;3\n", {1.5, -0.25});
    row("decimal commas between tabs", "a\tb\n2,041\t1\n0,5\t2\n", {2.041, 0.5});
    row("quoted decimal commas between commas", "a,b\n\"1,5\",1\n\"12,25\",2\n", {1.5, 12.25});
    row("points that group, by another column", "a;b\n1.234;2,5\n2.345;3,5\n", {1234, 2345});
    row("points and a comma", "a;b\n1.234,5;2\n2,5;3\n", {1234.5, 2.5});
    row("thousands", "a,b\n\"50,012\",0.5\n\"9,000\",1.5\n", {50012, 9000});
    row("millions", "a,b\n\"3,000,000\",1\n950,2\n", {3000000, 950});
    row("thousands and a fraction", "a;b\n1,234.5;1\n2;2\n", {1234.5, 2});
    row("gaps", "a;b\n50 012;1\n1 000 000;2\n", {50012, 1000000});
    row("narrow gaps and a comma", "a;b\n50\u202f012,5;1\n12;2\n", {50012.5, 12});
    row("apostrophes", "a;b\n1'000;1\n12'345.5;2\n", {1000, 12345.5});
    row("percent", "a,b\n45%,1\n5.5%,2\n", {45, 5.5}, "%");
    row("dollars", "a,b\n$45,1\n-$1.5,2\n", {45, -1.5}, "$");
    row("thousands of dollars", "a,b\n\"$1,234\",0.5\n\"$12,000\",1.5\n", {1234, 12000}, "$");
    row("kilograms", "a,b\n12 kg,1\n3.5 kg,2\n", {12, 3.5}, "kg");
}

void FormatsTableTest::readsNumbersAsTheyAreWritten() {
    QFETCH(QByteArray, content);
    QFETCH(QList<double>, first);
    QFETCH(QString, unit);
    const auto table = read(content);
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    QCOMPARE(table->columns[0].numbers, std::vector<double>(first.begin(), first.end()));
    QCOMPARE(QString::fromStdString(table->columns[0].unit), unit);
}

void FormatsTableTest::tellsWhatWordsLookLike_data() {
    QTest::addColumn<QByteArray>("cells"); // two, with a bar between them
    QTest::addColumn<QString>("look");
    QTest::newRow("words") << QByteArray("red|blue") << "";
    QTest::newRow("dates") << QByteArray("2024-01-31|2023-12-01 10:30") << "a date";
    QTest::newRow("German dates") << QByteArray("31.12.2024|1.2.24") << "a date";
    QTest::newRow("times") << QByteArray("10:30|9:15:20") << "a time";
    QTest::newRow("hexadecimal") << QByteArray("0x1F|0xff") << "a hexadecimal number";
    QTest::newRow("two units") << QByteArray("12 kg|3 lb") << "a number with a unit that is not everywhere the same";
    QTest::newRow("a number and an unknown")
        << QByteArray("12 kg|unknown") << "a number with a unit that is not everywhere the same";
}

void FormatsTableTest::tellsWhatWordsLookLike() {
    QFETCH(QByteArray, cells);
    QFETCH(QString, look);
    const auto parts = cells.split('|');
    const auto table = read("w,x\n" + parts[0] + ",1\n" + parts[1] + ",2\n");
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    QVERIFY(table->columns[0].isWords && table->columns[0].vocabulary.size() == 2);
    QCOMPARE(QString::fromStdString(table->columns[0].look), look);
}

// Feature: missing cells: refused with their number, left out or filled in; columns that are left out are not judged.
// Also in torch_data_files_test.
void FormatsTableTest::missingCellsAreCountedLeftOutOrKept_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("missing"); // cells
    QTest::addColumn<int>("whole");   // rows
    QTest::newRow("an empty cell") << QByteArray("a,b\n1,x\n,y\n3,x\n") << 1 << 2;
    QTest::newRow("words for it") << QByteArray("a,b\nNA,x\n2,<NA>\n3,?\n4,y\n.,x\nnan,x\n") << 5 << 1;
    QTest::newRow("first of all") << QByteArray("a,b\n,x\n-,y\n3,x\n") << 2 << 1;
    QTest::newRow("in quotes, but a word") << QByteArray("a,b\n,\"\"\n2,\"x\"\n") << 1 << 1;
    QTest::newRow("in quotes, among numbers") << QByteArray("\"a\",\"b\"\n\"\",\"x\"\n\"2\",\"\"\n") << 1 << 1;
}

void FormatsTableTest::missingCellsAreCountedLeftOutOrKept() {
    QFETCH(QByteArray, content);
    QFETCH(int, missing);
    QFETCH(int, whole);
    const auto refused = read(content);
    QVERIFY(!refused.ok() && refused.error().code == ErrorCode::DataUnreadable);
    const auto dropped = read(content, {.missing = formats::Missing::Drop});
    QVERIFY2(dropped.ok(), dropped ? "" : dropped.error().text().c_str());
    QCOMPARE(dropped->rows(), whole);
    const auto kept = read(content, {.missing = formats::Missing::Keep});
    QVERIFY2(kept.ok(), kept ? "" : kept.error().text().c_str());
    QCOMPARE(kept->rows(), dropped->rows() + dropped->leftOut);
    const auto& numbers = kept->columns[0].numbers;
    const auto& words = kept->columns[1].words;
    QCOMPARE(numbers.size(), static_cast<std::size_t>(kept->rows()));
    const auto holes = std::count_if(numbers.begin(), numbers.end(), [](double number) { return std::isnan(number); }) +
                       std::count(words.begin(), words.end(), -1);
    QCOMPARE(holes, missing);
    QCOMPARE(kept->columns[0].missing + kept->columns[1].missing, missing);
}

void FormatsTableTest::columnsThatAreNotReadAreNotJudged() {
    const auto rules = [](const formats::Table& table) -> Result<std::vector<formats::ColumnRule>> {
        std::vector<formats::ColumnRule> all(table.columns.size());
        all[0].isRead = false;
        return all;
    };
    for (const char* content : {"ticket,a\n20001,1\nA/5 2,2\n", "ticket,a\n,1\nx,2\n", "ticket,a\n1e400,1\ninf,2\n"}) {
        const auto table = read(content, {.rules = rules});
        QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
        QVERIFY(!table->columns[0].isRead && table->columns[0].numbers.empty());
        QCOMPARE(table->columns[1].numbers, (std::vector<double>{1, 2}));
    }
}

void FormatsTableTest::columnsWithoutNamesNumberTheRows_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("place");
    QTest::addColumn<bool>("empty");
    QTest::newRow("pandas' index") << QByteArray(",a,b\n0,1,2\n1,3,4\n") << 0 << false;
    QTest::newRow("of a part of the rows") << QByteArray(",a,b\n17,1,2\n5,3,4\n") << 0 << false;
    QTest::newRow("R's names of rows") << QByteArray("\"\",\"a\"\n\"Mazda\",1\n\"Datsun\",2\n") << 0 << false;
    QTest::newRow("a separator at the end") << QByteArray("a,b,\n1,2,\n1,2,\n") << 2 << true;
}

void FormatsTableTest::columnsWithoutNamesNumberTheRows() {
    QFETCH(QByteArray, content);
    QFETCH(int, place);
    QFETCH(bool, empty);
    const auto table = read(content);
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    const auto& column = table->columns[static_cast<std::size_t>(place)];
    QCOMPARE(QString::fromStdString(column.name), "Unnamed: " + QString::number(place));
    QVERIFY(!column.isRead && column.isUnnamed);
    QCOMPARE(column.isEmpty, empty);
    QCOMPARE(table->rows(), 2);
}

// Where a column may be left out, the error is FieldInvalid or DataUnreadable and its place names the column.
void FormatsTableTest::targetsAreNoColumnsToLeaveOut() {
    formats::TableOptions options;
    options.rules = [](const formats::Table&) -> Result<std::vector<formats::ColumnRule>> {
        return std::vector<formats::ColumnRule>{{}, {.mustBeThere = true}};
    };
    const auto error = [&](const char* rows) {
        const auto table = formats::readTableText(std::string("a,b\n1,2\n") + rows, "t.csv", options);
        return table ? Error{} : table.error();
    };
    const Error hole = error(",3\n"), lost = error("3,\n"), word = error("x,3\n"), wrong = error("3,x\n");
    QCOMPARE(hole.code, ErrorCode::DataUnreadable);
    QCOMPARE(hole.where, "t.csv, line 3, column 1 (a)");
    QVERIFY(hole.remedy.find("dataset.params.ignore") != std::string::npos);
    QCOMPARE(lost.code, ErrorCode::DataUnreadable);
    QCOMPARE(lost.where, "t.csv, line 3");
    QCOMPARE(lost.message, "the cell of \"b\" is empty");
    QVERIFY(lost.remedy.find("dataset.params.ignore") == std::string::npos);
    QCOMPARE(word.code, ErrorCode::FieldInvalid);
    QCOMPARE(word.where, "t.csv, line 3, column 1 (a)");
    QCOMPARE(wrong.code, ErrorCode::General);
}

// Bad inputs: tables (CSV).
void FormatsTableTest::refusesBadTables_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    const QByteArray head = "a,b\n1,2\n";
    QTest::newRow("empty") << QByteArray() << "line 1: is empty";
    QTest::newRow("blank") << QByteArray("\n\n\n") << ": has no rows";
    QTest::newRow("header alone") << QByteArray("a,b\n") << ": has a header and no rows (add rows)";
    QTest::newRow("ragged: fewer") << head + "3\n" << "line 3: has 1 cells, and the first line has 2";
    QTest::newRow("ragged: more") << head + "3,4,5\n" << "line 3: has 3 cells, and the first line has 2";
    QTest::newRow("decimal comma between commas") << head + "1,5,2\n"
                                                  << "give every row as many cells; write 1.5 for 1,5";
    QTest::newRow("comma and point") << QByteArray("a;b\n1.5;2\n2,5;3\n")
                                     << "line 3, column 1 (a): \"2,5\" has a comma where those above it have a point";
    QTest::newRow("two ways") << QByteArray("a;b\n1 234;2\n1,234,567;3\n")
                              << "\"1,234,567\" is written in another way than the numbers above it";
    QTest::newRow("comma or thousands") << QByteArray("a;b\n1,234;2\n2,345;3\n")
                                        << "column 1 (a): the column holds numbers that may have decimal commas or "
                                           "thousands separators, such as \"1,234\" (set dataset.params.decimal to";
    QTest::newRow("Latin-1") << head + "3,s\xfc\xdf\n" << "line 3, column 2: is not UTF-8: byte 0xfc";
    QTest::newRow("Latin-1 in the header") << QByteArray("gr\xf6\xdf"
                                                         "e,b\n1,2\n")
                                           << "line 1, column 1: is not UTF-8";
    QTest::newRow("a workbook") << QByteArray("PK\x03\x04 and more") << "line 1: is a zip archive";
    QTest::newRow("names or numbers") << QByteArray("1,2,3\n4,5,6\n")
                                      << "line 1: the first line may name the columns or be a row (set "
                                         "dataset.params.header to \"yes\" or \"no\")";
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
    QTest::newRow("nan") << head + "nan,2\n" << "line 3, column 1 (a): \"nan\" stands for a missing value";
    QTest::newRow("inf") << head + "3,-inf\n" << "line 3, column 2 (b): \"-inf\" is not a finite number";
    QTest::newRow("empty cell") << head + "3,\n" << "line 3, column 2 (b): the cell is empty";
    QTest::newRow("missing value") << head + "NA,3\n" << "line 3, column 1 (a): \"NA\" stands for a missing value";
    QTest::newRow("several")
        << head + ",3\n4,NA\n,5\n"
        << "line 3, column 1 (a): the cell is empty; missing in all: 2 of \"a\", 1 of \"b\" (fill it "
           "in; or set dataset.params.missing to \"drop\", which leaves out 3 of 4 rows";
    QTest::newRow("most of one column")
        << head + "3,\n,4\n,5\n,6\n"
        << "line 4, column 1 (a): the cell is empty; missing in all: 3 of \"a\", 1 of \"b\"";
    QTest::newRow("1e400") << head + "1e400,3\n" << "line 3, column 1 (a): \"1e400\" is outside the range of numbers";
    QTest::newRow("1e39") << head + "1e39,3\n" << "line 3, column 1 (a): \"1e39\" is outside the range of numbers";
    QTest::newRow("word among numbers")
        << head + "x,3\n"
        << "column 1 (a): \"x\" is not a number, as those above it are (correct the cell, or leave "
           "the column out";
    QTest::newRow("number among words") << QByteArray("a,b\nx,1\n7,2\n")
                                        << "line 3, column 1 (a): \"7\" is a number, and those above it are words";
    QTest::newRow("number with a unit") << head + "3kg,3\n"
                                        << "\"3kg\" is not a number, as those above it are: it has a unit";
    QTest::newRow("number without its unit")
        << QByteArray("a,b\n3kg,1\n4,2\n") << "\"4\" has no unit, and those above it have \"kg\"";
    QTest::newRow("hexadecimal") << head + "0x10,3\n" << "\"0x10\" is not a number, as those above it are: it is a hex";
    QTest::newRow("header doubled") << QByteArray("a,b,a\n1,2,3\n")
                                    << "line 1, column 3: the header names \"a\" twice, first as column 1";
    QTest::newRow("header nameless")
        << QByteArray("a,\"\"\n1,2\n2,2\n")
        << "line 3, column 2 (Unnamed: 1): the header names no column here, and \"2\" stands in lines 2 and 3";
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
    QTest::newRow("an image") << pngHeader(8, 8) << "line 1, column 1: is not UTF-8: byte 0x89";
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
// Bad inputs: a table with one endless line. Reading stops after the first MiBs of a line of 10 GiB.
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
