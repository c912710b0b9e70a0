// SPDX-License-Identifier: GPL-3.0-or-later
// Names of hosts and ids of runs: what the compiler takes for one, and for the other.
#include "engine/base/text/name_of.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/share/fetch_run.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/store/run_query.h"

#include <QTest>

#include <map>
#include <set>
#include <type_traits>

using namespace trainyard;

namespace {

// A name is a text; a text is no name, and no name is one of another kind.
static_assert(std::is_convertible_v<HostName, std::string>);
static_assert(std::is_constructible_v<HostName, std::string>);
static_assert(!std::is_convertible_v<std::string, HostName>);
static_assert(!std::is_convertible_v<const char*, HostName>);
static_assert(!std::is_convertible_v<HostName, RunId>);
static_assert(!std::is_assignable_v<HostName&, std::string>);
static_assert(!std::is_assignable_v<HostName&, RunId>);

template <class Left, class Right>
concept Comparable = requires(const Left& left, const Right& right) { left == right; };
static_assert(Comparable<HostName, HostName> && Comparable<HostName, std::string> && Comparable<RunId, const char*>);
static_assert(!Comparable<HostName, RunId>);

// Calls with arguments in each other's places.
using Text = std::string;
using run::Launcher;
static_assert(std::is_invocable_v<decltype(&Launcher::prepare), Launcher&, HostName, RunId>);
static_assert(!std::is_invocable_v<decltype(&Launcher::prepare), Launcher&, RunId, HostName>);
static_assert(!std::is_invocable_v<decltype(&Launcher::prepare), Launcher&, Text, Text>);
static_assert(std::is_invocable_v<decltype(&Launcher::signalAll), Launcher&, HostName, RunId, int>);
static_assert(!std::is_invocable_v<decltype(&Launcher::signalAll), Launcher&, RunId, HostName, int>);
static_assert(std::is_invocable_v<decltype(&Launcher::list), Launcher&, HostName, Text>);
static_assert(!std::is_invocable_v<decltype(&Launcher::list), Launcher&, Text, HostName>);
static_assert(std::is_invocable_v<decltype(&run::RunFetch::open), store::Workspace, HostName, RunId>);
static_assert(!std::is_invocable_v<decltype(&run::RunFetch::open), store::Workspace, RunId, HostName>);
static_assert(std::is_invocable_v<decltype(&store::Store::rename), store::Store&, RunId, Text>);
static_assert(!std::is_invocable_v<decltype(&store::Store::rename), store::Store&, Text, RunId>);
static_assert(std::is_invocable_v<decltype(&store::RunQuery::points), store::RunQuery&, RunId, Text, int>);
static_assert(!std::is_invocable_v<decltype(&store::RunQuery::points), store::RunQuery&, Text, RunId, int>);
// Not two numbers, of which nobody sees which is which.
static_assert(std::is_invocable_v<decltype(&spec::hostOfRank), std::vector<Text>, RankOf>);
static_assert(!std::is_invocable_v<decltype(&spec::hostOfRank), std::vector<Text>, int, int>);

} // namespace

class NameOfTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isOrderedAsItsText() {
        const std::set<HostName> hosts{HostName("h2"), HostName(), HostName("h10"), HostName("h2")};
        std::vector<std::string> names(hosts.begin(), hosts.end());
        QCOMPARE(names, (std::vector<std::string>{"", "h10", "h2"}));
        QVERIFY(HostName("h1") == HostName("h1") && HostName("h1") != HostName("h2"));
    }
    void readsAsAText() {
        const RunId run("20260101-000000-00000a");
        QVERIFY(run == "20260101-000000-00000a" && std::string("other") != run);
        QCOMPARE(QString::fromStdString(run), QStringLiteral("20260101-000000-00000a"));
        const std::map<std::string, int> steps{{run, 7}};
        QCOMPARE(steps.at(run), 7);
        QVERIFY(!run.empty() && RunId().empty() && HostName("").empty());
    }
};

QTEST_APPLESS_MAIN(NameOfTest)
#include "name_of_test.moc"
