// SPDX-License-Identifier: GPL-3.0-or-later
// Codes of errors: their words, their table in ERRORS.md, and where the system gives them.
#include "engine/base/error_json.h"
#include "engine/base/result.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cerrno>

using namespace trainyard;

class ErrorCodeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: errors with codes: one table, out of memory, a loss that is not finite, a lost peer, a killed worker,
    // hosts; the window's fix of a failed run. Also in ctl_contract_test, failure_fix_test, real_ranks_test,
    // run_actions_test, runs_page_test, ssh_session_test, worker_failure_test.
    void eachCodeHasItsRowInTheTable() {
        QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/engine/base/ERRORS.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = QString::fromUtf8(file.readAll());
        const auto table = text.mid(text.indexOf(QLatin1String("| code |")));
        const QRegularExpression row("^\\| `([a-z-]+)` \\| ", QRegularExpression::MultilineOption);
        QStringList documented, known;
        for (auto rows = row.globalMatch(table); rows.hasNext();) documented << rows.next().captured(1);
        for (int code = 0; code < kErrorCodes; ++code) known << QString(toString(static_cast<ErrorCode>(code)));
        QCOMPARE(documented, known);
    }

    void wordsComeBack() {
        for (int code = 0; code < kErrorCodes; ++code) {
            const auto each = static_cast<ErrorCode>(code);
            QCOMPARE(errorCodeFromString(toString(each)), each);
        }
        QCOMPARE(errorCodeFromString("of-a-newer-program"), ErrorCode::General);
        QCOMPARE(errorCodeFromString(""), ErrorCode::General);
    }

    void aFailedCallHasTheCodeOfItsErrno_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("disk full") << ENOSPC << ErrorCode::DiskFull;
        QTest::newRow("quota used up") << EDQUOT << ErrorCode::DiskFull;
        QTest::newRow("no memory") << ENOMEM << ErrorCode::OutOfMemory;
        QTest::newRow("not permitted") << EACCES << ErrorCode::General;
    }
    void aFailedCallHasTheCodeOfItsErrno() {
        QFETCH(int, number);
        QFETCH(ErrorCode, code);
        errno = number;
        QCOMPARE(systemError("cannot be written").code, code);
    }

    void anErrorComesBackFromItsJson() {
        const Error error =
            inputError("does not exist", "a \"b\".csv", "check the path").withCode(ErrorCode::FileMissing);
        const auto back = errorFromJson(errorToJson(error));
        QVERIFY(back.has_value());
        QCOMPARE(back->text(), error.text());
        QCOMPARE(back->message, error.message);
        QCOMPARE(back->where, error.where);
        QCOMPARE(back->remedy, error.remedy);
        QCOMPARE(back->kind, ErrorKind::Input);
        QCOMPARE(back->code, ErrorCode::FileMissing);
    }

    void whatIsNoErrorIsNotReadAsOne_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a result") << QByteArray(R"({"format": "torchscript"})");
        QTest::newRow("another type") << QByteArray(R"({"error": null, "error_kind": null, "error_code": null})");
        QTest::newRow("cut short") << QByteArray::fromStdString(errorToJson(runError("is wrong"))).chopped(20);
        QTest::newRow("a list") << QByteArray(R"(["error", "error_kind", "error_code"])");
    }
    void whatIsNoErrorIsNotReadAsOne() {
        QFETCH(QByteArray, json);
        QVERIFY(!errorFromJson({json.constData(), static_cast<std::size_t>(json.size())}).has_value());
    }

    void aProgramSaysWhyItEnded_data() {
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QByteArray>("errors");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("code");
        const auto missing = inputError("is not there", "a.csv").withCode(ErrorCode::FileMissing);
        QTest::newRow("an object") << QByteArray::fromStdString(errorToJson(missing)) << QByteArray("program: noise\n")
                                   << "a.csv: is not there" << static_cast<int>(ErrorCode::FileMissing);
        QTest::newRow("words only") << QByteArray("half a res") << QByteArray("loading\nkilled by a library\n\n")
                                    << "killed by a library" << static_cast<int>(ErrorCode::General);
        QTest::newRow("nothing") << QByteArray() << QByteArray() << "the program failed with exit code 7"
                                 << static_cast<int>(ErrorCode::General);
    }
    void aProgramSaysWhyItEnded() {
        QFETCH(QByteArray, output);
        QFETCH(QByteArray, errors);
        const Error error = programError("the program", 7, output.toStdString(), errors.toStdString());
        QTEST(QString::fromStdString(error.text()), "message");
        QTEST(static_cast<int>(error.code), "code");
    }

    void aFailedComparisonPrintsItsWords() {
        QEXPECT_FAIL("", "these differ: the words are printed, and nothing else happens", Continue);
        QCOMPARE(ErrorCode::PeerLost, ErrorCode::DiskFull); // ended the program (tests/qt/QTest)
    }

    void aCodeLeavesTheRestOfAnErrorAsItWas() {
        const Error error = inputError("is not running", "run a", "start it").withCode(ErrorCode::NotRunning);
        QCOMPARE(error.code, ErrorCode::NotRunning);
        QCOMPARE(error.kind, ErrorKind::Input);
        QCOMPARE(error.text(), std::string("run a: is not running (start it)"));
        QCOMPARE(runError("failed").code, ErrorCode::General);
        QCOMPARE(stoppedError("stopped").code, ErrorCode::Stopped);
    }
};

QTEST_GUILESS_MAIN(ErrorCodeTest)
#include "error_code_test.moc"
