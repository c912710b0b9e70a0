// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that are no CSV, and columns of dates.
#include "engine/formats/calendar.h"
#include "engine/formats/table.h"
#include "tests/fuzz/formats/same_table.h"
#include "tests/unit/torch/data_files.h"

#include <QDate>
#include <QProcess>
#include <QTemporaryDir>

#include <cmath>

using namespace trainyard;
using namespace trainyard::tests;

class FormatsTableKindsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<formats::Table> read(const QByteArray& content, const formats::TableOptions& options = {}) {
        const QString path = m_folder.filePath("table.csv");
        writeBytes(path, content);
        return formats::readTable(path.toStdString(), options);
    }

private Q_SLOTS:
    void readsJsonLines();
    void readsArraysOfNumpy_data();
    void readsArraysOfNumpy();
    void readsArchivesOfNumpy();
    void refusesOtherFiles_data();
    void refusesOtherFiles();
    void rowsReadTogetherAreTheSame_data();
    void rowsReadTogetherAreTheSame();
    void readsDates_data();
    void readsDates();
    void datesBecomeNumbers();
};

// Feature: tables as JSON lines: a row a line, members by name, null and absent members as missing cells.
void FormatsTableKindsTest::readsJsonLines() {
    const auto table = read("{\"b\": \"x\", \"a\": 1}\n\n{\"a\": -2.5e0, \"c\": true, \"d\": [1, {\"e\": 2}]}\n"
                            "{\"a\": null, \"b\": \"NA\", \"c\": false}",
                            {.missing = formats::Missing::Keep, .rules = [](const formats::Table& names) {
                                 std::vector<formats::ColumnRule> rules(names.columns.size());
                                 rules.back().isRead = false; // the list
                                 return Result<std::vector<formats::ColumnRule>>(rules);
                             }});
    QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
    QVERIFY(table->hasHeader);
    QCOMPARE(table->columns[0].name, "b");
    QCOMPARE(table->columns[1].name, "a");
    QCOMPARE(table->columns[0].vocabulary, (std::vector<std::string>{"NA", "x"})); // in quotes it is a word
    QCOMPARE(table->columns[0].words, (std::vector<std::int32_t>{1, -1, 0}));
    QCOMPARE(table->columns[1].numbers[1], -2.5);
    QVERIFY(std::isnan(table->columns[1].numbers[2]));
    QCOMPARE(table->columns[2].words, (std::vector<std::int32_t>{-1, 1, 0}));
    QCOMPARE(table->position(1, 1), m_folder.filePath("table.csv").toStdString() + ", line 3, column 2 (a)");
}

namespace {

// As numpy.save writes an array.
QByteArray npy(const QByteArray& descr, const QByteArray& shape, const QByteArray& data,
               const char* fortran = "False") {
    QByteArray header = "{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
    while ((header.size() + 11) % 64 != 0) header += ' ';
    header += '\n';
    const auto size = static_cast<int>(header.size());
    return QByteArray("\x93NUMPY\x01\x00", 8) + char(size & 255) + char(size >> 8) + header + data;
}

template <class Number>
QByteArray raw(std::initializer_list<Number> numbers) {
    return {reinterpret_cast<const char*>(std::data(numbers)), static_cast<qsizetype>(numbers.size() * sizeof(Number))};
}

} // namespace

// Feature: tables as arrays of NumPy (.npy, .npz), whatever the file is called.
void FormatsTableKindsTest::readsArraysOfNumpy_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("cells"); // of the rows
    const auto row = [](const char* name, const QByteArray& content, const char* cells) {
        QTest::newRow(name) << content << QString::fromUtf8(cells);
    };
    row("doubles", npy("'<f8'", "(2, 2)", raw<double>({1.5, -2, 1e-3, 4})), "1.5 -2|0.001 4");
    row("by column", npy("'<i2'", "(2, 2)", raw<qint16>({1, 2, 3, 4}), "True"), "1 3|2 4");
    row("of the other byte order", npy("'>u2'", "(2,)", QByteArray("\x01\x00\x00\x02", 4)), "256|2");
    row("halves", npy("'<f2'", "(3,)", raw<quint16>({0x3E00, 0xC000, 0x0001})), "1.5|-2|5.9604645e-08");
    row("not a number is missing", npy("'<f4'", "(2,)", raw<float>({NAN, 0.1f})), "-|0.1");
    row("three dimensions", npy("'|u1'", "(2, 2, 1)", QByteArray("\x00\x7f\x80\xff", 4)), "0 127|128 255");
    row("true and false", npy("'|b1'", "(2,)", QByteArray("\x01\x00", 2)), "1|0");
    row("the largest number", npy("'<u8'", "(1,)", raw<quint64>({UINT64_MAX})), "18446744073709551615");
    row("texts", npy("'<U2'", "(2,)", raw<quint32>({'a', 0, 'b', 0xFC})), "a|b\u00fc");
    row("bytes", npy("'|S3'", "(2,)", QByteArray("ab\0xyz", 6)), "ab|xyz");
    row("days", npy("'<M8[D]'", "(2,)", raw<qint64>({0, 20000})), "1970-01-01|2024-10-04");
    row("no time", npy("'<M8[ns]'", "(2,)", raw<qint64>({INT64_MIN, 1'500'000'000})), "-|1970-01-01T00:00:01.500000");
}

void FormatsTableKindsTest::readsArraysOfNumpy() {
    QFETCH(QByteArray, content);
    QFETCH(QString, cells);
    for (const bool packed : {false, true}) {
        const auto table = read(packed ? gzipped(content) : content, {.missing = formats::Missing::Keep});
        QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
        QVERIFY(!table->hasHeader);
        QStringList rows;
        for (std::size_t row = 0; row < static_cast<std::size_t>(table->rows()); ++row) {
            QStringList line;
            for (const auto& column : table->columns)
                line << (column.isWords                    ? column.words[row] < 0
                                                                 ? QString("-")
                                                                 : QString::fromStdString(
                                                    column.vocabulary[static_cast<std::size_t>(column.words[row])])
                                            : std::isnan(column.numbers[row]) ? QString("-")
                                                           : QString::number(column.numbers[row], 'g', 17));
            rows << line.join(' ');
        }
        const auto asNumber = [](const QString& text) {
            bool isNumber = false;
            const double number = text.toDouble(&isNumber);
            return isNumber ? QString::number(number, 'g', 17) : text;
        };
        QStringList expected;
        for (const QString& line : cells.split('|')) {
            QStringList parts;
            for (const QString& cell : line.split(' ')) parts << asNumber(cell);
            expected << parts.join(' ');
        }
        QCOMPARE(rows, expected);
    }
}

void FormatsTableKindsTest::readsArchivesOfNumpy() {
    const auto python = [&](const char* code) {
        QProcess run;
        run.setWorkingDirectory(m_folder.path());
        for (const char* program : {"python3", "/usr/bin/python3"}) {
            run.start(program, {"-c", QString("import numpy as np\n") + code});
            if (run.waitForFinished() && run.exitCode() == 0) return true;
        }
        return false;
    };
    if (!python("np.savez('plain.npz', x=np.arange(6.).reshape(3, 2), y=np.array(['a', 'b', 'a']))\n"
                "np.savez_compressed('packed.npz', x=np.arange(6.).reshape(3, 2), y=np.array(['a', 'b', 'a']))\n"
                "np.savez('rows.npz', x=np.zeros(3), y=np.zeros(2))"))
        QSKIP("needs Python's NumPy (python3-numpy)");
    for (const char* name : {"plain.npz", "packed.npz"}) {
        const auto table = formats::readTable(m_folder.filePath(name).toStdString());
        QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
        QVERIFY(table->hasHeader);
        QCOMPARE(table->columns[0].name, "x.0");
        QCOMPARE(table->columns[1].numbers, (std::vector<double>{1, 3, 5}));
        QCOMPARE(table->columns[2].name, "y");
        QCOMPARE(table->columns[2].words, (std::vector<std::int32_t>{0, 1, 0}));
    }
    const auto refused = formats::readTable(m_folder.filePath("rows.npz").toStdString());
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().text().find("array y.npy: has 2 rows, and x has 3") != std::string::npos);
}

// Bad inputs: tables as JSON lines and arrays of NumPy.
void FormatsTableKindsTest::refusesOtherFiles_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("JSON: cut") << QByteArray("{\"a\": 1}\n{\"a\":") << "line 2: is not JSON";
    QTest::newRow("JSON: a list") << QByteArray("{\"a\": 1}\n[1]") << "line 2: is not a JSON object";
    QTest::newRow("JSON: nested") << QByteArray("{\"a\": 1, \"b\": {\"c\": 2}}")
                                  << "line 1, column 2 (b): holds a list or an object, and a cell is one value";
    QTest::newRow("JSON: no members") << QByteArray("{}\n{}") << "has no members";
    QTest::newRow("JSON: not UTF-8") << QByteArray("{\"a\": \"\xFF\"}") << "line 1: is not UTF-8: byte 0xff";
    QTest::newRow("JSON: too large") << QByteArray("{\"a\": 1e400}") << "line 1: is not JSON";
    QTest::newRow("JSON: deep") << "{\"a\": " + QByteArray(100'000, '[') << "line 1: is not JSON";
    QTest::newRow("NumPy: objects") << npy("'|O'", "(2,)", "\x80") << "holds Python objects, which are never loaded";
    QTest::newRow("NumPy: records") << npy("[('a', '<f4')]", "(2,)", "") << "is an array of records";
    QTest::newRow("NumPy: complex") << npy("'<c8'", "(2,)", "") << "has values of the type '<c8'";
    QTest::newRow("NumPy: one value") << npy("'<f8'", "()", raw<double>({1})) << "is a single value, and no table";
    QTest::newRow("NumPy: no rows") << npy("'<f8'", "(0, 3)", "") << "has no rows";
    QTest::newRow("NumPy: cut") << npy("'<f8'", "(3,)", raw<double>({1, 2})) << "is cut short: 8 bytes are missing";
    QTest::newRow("NumPy: longer") << npy("'<f8'", "(1,)", raw<double>({1, 2})) << "holds more than its array";
    QTest::newRow("NumPy: claims much") << npy("'<f8'", "(1000000000000, 20000)", "") << "is shorter than its header";
    QTest::newRow("NumPy: wide") << npy("'<f8'", "(2, 20001)", "") << "has more than 20000 numbers a row";
    QTest::newRow("NumPy: infinite") << npy("'<f8'", "(2,)", raw<double>({1, INFINITY}))
                                     << "row 2, column 1 (column 1): \"inf\" is not a finite number";
    QTest::newRow("NumPy: no header") << QByteArray("\x93NUMPY\x01\x00\x04\x00{}\n\n", 14) << "has no type of numbers";
}

void FormatsTableKindsTest::refusesOtherFiles() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const auto table = read(content);
    QVERIFY(!table.ok());
    const QString text = QString::fromStdString(table.error().text());
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY2(!table.error().remedy.empty() && text.contains(m_folder.path()), qPrintable(text));
}

// Feature: CSV is read by several threads, many rows at a time, with the values, faults and places of row by row.
void FormatsTableKindsTest::rowsReadTogetherAreTheSame_data() {
    QTest::addColumn<QByteArray>("row");   // %1: the number of the row
    QTest::addColumn<QByteArray>("other"); // stands among the rows, three times
    QTest::newRow("numbers") << QByteArray("%1,-0.5,1e3,a") << QByteArray("-0,0.1234567890123456789,+5.e-3,b");
    QTest::newRow("thousands, perhaps") << QByteArray("%1,1.234,1.5,a") << QByteArray("7,-12.345,1234.567,a");
    QTest::newRow("exact and not") << QByteArray("%1,9007199254740993,.5,a") << QByteArray("1,123456789012345,5.,b");
    QTest::newRow("spaces") << QByteArray("%1, 1.5 ,2\t,a b ") << QByteArray(" 1,2 , 3,  c");
    QTest::newRow("line ends") << QByteArray("%1,1,2,a\r") << QByteArray("\n5,1,2,b\r5,1,2,c\n  ");
    QTest::newRow("missing cells") << QByteArray("%1,1,2,a") << QByteArray("8,NA,,?");
    QTest::newRow("an empty column") << QByteArray("%1,,2,a") << QByteArray("8,,2,b");
    QTest::newRow("its first number late") << QByteArray("%1,,2,a") << QByteArray("8,5,2,b");
    QTest::newRow("quotes") << QByteArray("%1,1,2,a") << QByteArray("8,1,\"2\",\"a,\n\"\"b\"");
    QTest::newRow("umlauts") << QByteArray("%1,1,2,\xC3\xA4") << QByteArray("8,1,2,\xC3\xB6");
    QTest::newRow("no UTF-8") << QByteArray("%1,1,2,a") << QByteArray("8,1,2,\xC3");
    QTest::newRow("a NUL") << QByteArray("%1,1,2,a") << QByteArray("8,1,2,a\0b", 9);
    QTest::newRow("too few cells") << QByteArray("%1,1,2,a") << QByteArray("8,1,2");
    QTest::newRow("too many cells") << QByteArray("%1,1,2,a") << QByteArray("8,1,2,a,b");
    QTest::newRow("a word among numbers") << QByteArray("%1,1,2,a") << QByteArray("8,x,2,a");
    QTest::newRow("a number among words") << QByteArray("%1,1,2,a") << QByteArray("8,1,2,5");
    QTest::newRow("too large") << QByteArray("%1,1,2,a") << QByteArray("8,1e39,2,a");
    QTest::newRow("not finite") << QByteArray("%1,1,2,a") << QByteArray("8,1,inf,a");
    QTest::newRow("the header again") << QByteArray("%1,1,2,a") << QByteArray("id,x,y,word");
    QTest::newRow("dates") << QByteArray("%1,1,2026-11-29,a") << QByteArray("8,1,2026-11-30 14:05,b");
    QTest::newRow("no date") << QByteArray("%1,1,2026-11-29,a") << QByteArray("8,1,yesterday,b");
    QTest::newRow("units") << QByteArray("%1,45%,2 kg,a") << QByteArray("8,4.5%,12 kg,b");
    QTest::newRow("another unit") << QByteArray("%1,45%,2,a") << QByteArray("8,45 kg,2,b");
    QTest::newRow("commas") << QByteArray("%1,\"1,5\",2,a") << QByteArray("8,\"2,25\",2,a");
}

void FormatsTableKindsTest::rowsReadTogetherAreTheSame() {
    QFETCH(QByteArray, row);
    QFETCH(QByteArray, other);
    QByteArray text("id,x,y,word\n");
    for (int i = 0; i < 9000; ++i) { // more than each of two threads must have to be started
        text += QByteArray(row).replace("%1", QByteArray::number(i)) + '\n';
        if (i == 100 || i == 5000 || i == 8998) text += other + '\n';
    }
    for (const auto missing : {formats::Missing::Refuse, formats::Missing::Drop, formats::Missing::Keep}) {
        formats::TableOptions options{.header = formats::Header::Yes, .missing = missing, .atOnce = 0};
        const auto one = read(text, options);
        for (const std::size_t atOnce : {std::size_t{5000}, std::size_t{1} << 20}) {
            options.atOnce = atOnce;
            QCOMPARE(differenceOf(one, formats::readTable(m_folder.filePath("table.csv").toStdString(), options)), "");
        }
    }
}

// Feature: columns of dates and times; a column that holds other words too is one of words.
void FormatsTableKindsTest::readsDates_data() {
    QTest::addColumn<QByteArray>("cells");
    QTest::addColumn<QList<double>>("seconds"); // NaN: missing; empty: words
    QTest::newRow("days") << QByteArray("1970-01-02\n2024-2-29\n1969/12/31")
                          << QList<double>{86400, 1709164800, -86400};
    QTest::newRow("German") << QByteArray("2.1.1970\n\n31.12.1969") << QList<double>{86400, NAN, -86400};
    QTest::newRow("with times") << QByteArray("1970-01-01 00:01\n1970-01-01T01:00:00.5Z\n1970-01-01T01:00+01:00")
                                << QList<double>{60, 3600.5, 0};
    QTest::newRow("days and times") << QByteArray("1970-01-02\n1970-01-02 00:01\nNA")
                                    << QList<double>{86400, 86460, NAN};
    QTest::newRow("times") << QByteArray("0:01\n13:05:10\n23:59") << QList<double>{60, 47110, 86340};
    QTest::newRow("a word among them") << QByteArray("1970-01-02\nsoon\n1970-01-03") << QList<double>{};
    QTest::newRow("no such day") << QByteArray("1970-02-29\n1970-01-02\n1970-01-03") << QList<double>{};
    QTest::newRow("days or times") << QByteArray("1970-01-02\n13:05\n1970-01-03") << QList<double>{};
    QTest::newRow("may be read in two ways") << QByteArray("1/2/1970\n3/4/1970\n5/6/1970") << QList<double>{};
}

void FormatsTableKindsTest::readsDates() {
    QFETCH(QByteArray, cells);
    QFETCH(QList<double>, seconds);
    QByteArray rows = "when,x\n";
    for (const QByteArray& cell : cells.split('\n')) rows += cell + ",1\n";
    for (const bool dates : {true, false}) {
        const auto table = read(rows, {.missing = formats::Missing::Keep, .rules = [&](const formats::Table&) {
                                           return Result<std::vector<formats::ColumnRule>>(
                                               std::vector<formats::ColumnRule>{{.mayBeDates = dates}, {}});
                                       }});
        QVERIFY2(table.ok(), table ? "" : table.error().text().c_str());
        const auto& column = table->columns[0];
        QCOMPARE(column.isDates, dates && !seconds.isEmpty());
        QCOMPARE(column.isWords, !column.isDates);
        if (!column.isDates) continue;
        for (int i = 0; i < seconds.size(); ++i) {
            const double found = column.numbers[static_cast<std::size_t>(i)];
            QVERIFY(std::isnan(seconds[i]) ? std::isnan(found) : found == seconds[i]);
        }
    }
    const auto late = [&](const char* last) { // after so many days that they cannot be words
        QByteArray many = "when,x\n";
        for (int i = 0; i < 1100; ++i) many += QDate(2000, 1, 1).addDays(i).toString(Qt::ISODate).toUtf8() + ",1\n";
        return read(many + last + ",1\n", {.rules = [](const formats::Table&) {
                        return Result<std::vector<formats::ColumnRule>>(
                            std::vector<formats::ColumnRule>{{.mayBeDates = true}, {}});
                    }});
    };
    QVERIFY(late("2026-11-29").ok());
    QVERIFY(late("soon").error().text().find("line 1102, column 1 (when): \"soon\" is not a date or time") !=
            std::string::npos);
}

void FormatsTableKindsTest::datesBecomeNumbers() {
    const auto moment = formats::momentOf("2026-11-29 14:05:30");
    QVERIFY(moment && moment->hasDate && moment->hasTime);
    QCOMPARE(formats::partsOf(true, true),
             (std::vector<std::string>{"year", "month", "day", "weekday", "hour", "seconds"}));
    QList<double> parts;
    for (const auto& part : formats::partsOf(true, true)) parts << formats::partOf(moment->seconds, part);
    QCOMPARE(parts, (QList<double>{2026, 11, 29, 7, 14, moment->seconds}));
    QCOMPARE(formats::partOf(-1, "year"), 1969.0);
    QCOMPARE(formats::partOf(-1, "hour"), 23.0);
    for (const double seconds : {0.0, -1.5, 1.8e9 + 0.125, 5e9})
        QCOMPARE(formats::momentOf(formats::isoTime(seconds))->seconds, seconds);
}

QTEST_GUILESS_MAIN(FormatsTableKindsTest)
#include "formats_table_kinds_test.moc"
