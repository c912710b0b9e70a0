// SPDX-License-Identifier: GPL-3.0-or-later
// The dead man's switch of a rank: what is heard and when, and what is to be done at each look.
#include "engine/run/supervise/failures/link_watch.h"

#include <QTest>

using namespace trainyard;
using run::LinkWatch;
using LinkAction = LinkWatch::Action;

namespace {

enum class Sign { None, Heard, Cut, Asked };

struct Look {
    double at;
    Sign before; // this happens first
    bool saving;
    LinkAction expected;
};

} // namespace

Q_DECLARE_METATYPE(std::vector<Look>)

class LinkWatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void acts_data();
    void acts();
    void endsWhatIsStopped();
};

// linkSeconds is 10, and something was heard at 0.
void LinkWatchTest::acts_data() {
    QTest::addColumn<std::vector<Look>>("looks");
    const auto row = [](const char* name, std::vector<Look> looks) { QTest::newRow(name) << looks; };
    const auto goOn = LinkAction::GoOn, together = LinkAction::SaveTogether, alone = LinkAction::SaveAlone,
               end = LinkAction::End;
    row("heard in time",
        {{9.9, Sign::None, false, goOn}, {9.9, Sign::Heard, false, goOn}, {19.8, Sign::None, false, goOn}});
    row("silent", {{9.9, Sign::None, false, goOn}, {10, Sign::None, false, together}});
    row("silent, and back before the others agreed",
        {{10, Sign::None, false, together}, {11, Sign::Heard, false, goOn}, {20.9, Sign::None, false, goOn}});
    row("silent again: the time begins anew", {{10, Sign::None, false, together},
                                               {29, Sign::Heard, false, goOn},
                                               {39, Sign::None, false, together},
                                               {58.9, Sign::None, false, together}});
    row("cut", {{3, Sign::None, false, goOn}, {3.5, Sign::Cut, false, together}});
    row("cut, and nothing is heard any more", {{3, Sign::Cut, false, together}, {4, Sign::Heard, false, together}});
    row("cut after long silence", {{10, Sign::None, false, together}, {12, Sign::Cut, false, together}});
    row("the others do not come", {{3, Sign::Cut, false, together},
                                   {22.9, Sign::None, false, together},
                                   {23, Sign::None, false, alone},
                                   {42.9, Sign::None, false, alone},
                                   {43, Sign::None, false, end},
                                   {99, Sign::None, false, end}});
    row("one that has left its group does not go on",
        {{10, Sign::None, false, together}, {30, Sign::None, false, alone}, {31, Sign::Heard, false, alone}});
    row("a save may take minutes", {{10, Sign::None, false, together},
                                    {309.9, Sign::None, true, together},
                                    {310, Sign::None, true, alone},
                                    {609.9, Sign::None, true, alone},
                                    {610, Sign::None, true, end}});
    row("asked to end by somebody else, and the supervisor is heard",
        {{2, Sign::Asked, false, goOn}, {2.5, Sign::Heard, false, goOn}, {5.4, Sign::None, false, goOn}});
    row("asked to end by somebody else, and the supervisor is not heard", {{1, Sign::Asked, false, goOn},
                                                                           {2.9, Sign::None, false, goOn},
                                                                           {3, Sign::None, false, together},
                                                                           {23, Sign::None, false, alone},
                                                                           {43, Sign::None, false, end}});
    row("asked to end by somebody else in long silence", {{8, Sign::Asked, false, together}});
    row("a save that is over leaves no more time",
        {{10, Sign::None, false, together}, {100, Sign::None, true, together}, {101, Sign::None, false, alone}});
}

void LinkWatchTest::acts() {
    QFETCH(std::vector<Look>, looks);
    LinkWatch watch(10, 0);
    for (const auto& look : looks) {
        if (look.before == Sign::Heard) watch.heard(look.at);
        if (look.before == Sign::Cut) watch.cut(look.at);
        if (look.before == Sign::Asked) watch.askedToEnd();
        QVERIFY2(watch.next(look.at, look.saving) == look.expected, QByteArray::number(look.at));
    }
}

void LinkWatchTest::endsWhatIsStopped() {
    LinkWatch watch(10, 0);
    QCOMPARE(watch.endedBy(1), 32.0); // heard at 0, silent for 10, 20 to save, 2 to end
    watch.heard(5);
    QCOMPARE(watch.endedBy(5), 37.0);
    QCOMPARE(watch.next(16, false), LinkAction::SaveTogether);
    QCOMPARE(watch.endedBy(16), 38.0);
    watch.setLinkSeconds(100);
    QCOMPARE(watch.next(16, false), LinkAction::GoOn);
    QCOMPARE(watch.endedBy(16), 127.0);
}

QTEST_GUILESS_MAIN(LinkWatchTest)
#include "link_watch_test.moc"
