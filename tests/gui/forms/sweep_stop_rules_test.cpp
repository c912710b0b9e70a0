// SPDX-License-Identifier: GPL-3.0-or-later
// Stop rules of a sweep in the New run sheet: read from a file, changed by keys, judged at their fields.
#include "tests/gui/forms/form_fields.h"
#include "ui/forms/sweep/stop_rules.h"

#include <QComboBox>
#include <QPushButton>
#include <QToolButton>

using namespace trainyard;
using namespace trainyard::ui;
using namespace trainyard::test;

namespace {

const char* kDrawn = R"(, "searcher": "random", "trials": 3)";

std::string withStops(const char* stops) { return sweepOf(kTwoFields, std::string(kDrawn) + R"(, "stop": )" + stops); }

// The fields that are marked as wrong, by their accessible names.
QStringList markedIn(QWidget& root) {
    QStringList marked;
    for (auto* each : root.findChildren<QWidget*>())
        if (each->property("kind").toByteArray() == "error") marked << each->accessibleName();
    return marked;
}

} // namespace

class SweepStopRulesTest : public QObject {
    Q_OBJECT

    spec::Catalog m_catalog;

private Q_SLOTS:
    void initTestCase() {
        const auto catalog = workersCatalog();
        if (!catalog) QSKIP("there is no trainyard-worker");
        m_catalog = *catalog;
    }

    // Feature: stop rules of a sweep are added, changed and removed in the window's form by keys, come through it to
    // the bit, and are judged at their fields.
    void rulesOfAFileComeThrough_data() {
        QTest::addColumn<QString>("stops");
        QTest::newRow("none") << "[]";
        QTest::newRow("one") << R"([{"series": "train/loss", "above": 5, "after": 1}])";
        QTest::newRow("every digit, and no start")
            << R"([{"series": "val/loss", "below": 0.012345678901234567}, {"series": "val/accuracy", "above": 0.99}])";
        QTest::newRow("a program's own series, beyond zero")
            << R"([{"series": "my.own/reward-mean", "below": -1e-300, "after": 2.5},
                   {"series": "my.own/reward-mean", "above": 1e300, "after": 1e15},
                   {"series": "grad_norm", "above": 0}])";
    }
    void rulesOfAFileComeThrough() {
        QFETCH(QString, stops);
        RunForm form(m_catalog, {});
        const auto sweep = opened(form, withStops(stops.toUtf8()));
        const auto state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QVERIFY(state.sweep->rules == sweep.rules);
        opened(form, sweepOf(kTwoFields)); // another file leaves nothing of them
        QVERIFY(form.read().sweep->rules.stop.empty());
    }

    void aRuleIsAddedChangedAndRemovedByKeys() {
        RunForm form(m_catalog, {});
        opened(form, withStops(R"([{"series": "train/loss", "above": 5}])"));
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        form.read();
        auto* stops = form.findChild<StopRules*>();
        auto* add = stops->findChild<QPushButton*>();
        add->setFocus(Qt::TabFocusReason);
        QTest::keyClick(add, Qt::Key_Space);
        QWidget* focused = form.focusWidget();
        QCOMPARE(focused->accessibleName(), QStringLiteral("Stop rule 2: series")); // one can type at once
        QVERIFY(!form.read().sweep);                                                // no limit yet
        type(form, QStringLiteral("Stop rule 2: series"), QStringLiteral("val/own"));
        type(form, QStringLiteral("Stop rule 2: limit"), QStringLiteral("0.97"));
        type(form, QStringLiteral("Stop rule 2: after"), QStringLiteral("0.5"));
        QTest::keyClick(named<QComboBox>(form, QStringLiteral("Stop rule 2: above or below")), Qt::Key_Down);
        auto state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QVERIFY(state.sweep->rules.stop ==
                (std::vector<spec::StopRule>{{"train/loss", 5, true, 0}, {"val/own", 0.97, true, 0.5}}));
        auto* drop = named<QToolButton>(*stops, QStringLiteral("Remove stop rule 1"));
        drop->setFocus(Qt::TabFocusReason);
        QTest::keyClick(drop, Qt::Key_Space);
        state = form.read();
        QVERIFY(state.sweep->rules.stop == (std::vector<spec::StopRule>{{"val/own", 0.97, true, 0.5}}));
        QCOMPARE(text(form, "Stop rule 1: limit"), QStringLiteral("0.97")); // the numbers close up
        QVERIFY(add->hasFocus());
    }

    // Bad inputs: stop rules in the window.
    void aRuleIsJudgedAtItsField_data() {
        QTest::addColumn<QString>("field"); // the part that is marked
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("no limit") << "limit" << "" << "Stop rule 2, limit is missing";
        QTest::newRow("a limit of words") << "limit" << "low" << "Stop rule 2, limit is not a number, found “low”";
        QTest::newRow("no finite limit") << "limit" << "inf" << "Stop rule 2, limit is not a number, found “inf”";
        QTest::newRow("a slip of a series")
            << "series" << "val/los" << "Stop rule 2, series is not the name of a series; did you mean \"val/loss\"?";
        QTest::newRow("no series") << "series" << "" << "Stop rule 2, series is not the name of a series";
        QTest::newRow("before the start") << "after" << "-1" << "Stop rule 2, after must be at least 0";
        QTest::newRow("after words") << "after" << "soon" << "Stop rule 2, after is not a number, found “soon”";
    }
    void aRuleIsJudgedAtItsField() {
        QFETCH(QString, field);
        QFETCH(QString, typed);
        QFETCH(QString, said);
        RunForm form(m_catalog, {});
        opened(form, withStops(R"([{"series": "train/loss", "above": 5}, {"series": "val/loss", "below": 0.1}])"));
        QCOMPARE(form.read().errors.join(QStringLiteral("; ")), QString());
        const QString name = QStringLiteral("Stop rule 2: %1").arg(field);
        const QString before = text(form, qPrintable(name));
        type(form, name, typed);
        auto state = form.read();
        QVERIFY(!state.sweep);
        QVERIFY2(errorsAtFields(form).contains(said), qPrintable(errorsAtFields(form)));
        QVERIFY2(state.errors.join(u';').contains(said), qPrintable(state.errors.join(u';')));
        QCOMPARE(markedIn(form), QStringList{name});
        type(form, name, before);
        state = form.read();
        QCOMPARE(state.errors.join(QStringLiteral("; ")), QString());
        QCOMPARE(markedIn(form), QStringList());
        QCOMPARE(errorsAtFields(form).remove(QLatin1Char('|')), QString());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    QApplication app(argc, argv);
    SweepStopRulesTest test;
    return runInWindow(test, argc, argv, QStringLiteral("trainyard-stop-rules-test"));
}
#include "sweep_stop_rules_test.moc"
