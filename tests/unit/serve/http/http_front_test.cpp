// SPDX-License-Identifier: GPL-3.0-or-later
// The front of a service, asked over real sockets by clients that do what they want.
#include "tests/unit/serve/http/echo_service.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/un.h>

#include <cstring>

using namespace trainyard;
using namespace trainyard::serve;

namespace {

std::string request(const std::string& line, const std::string& headers = {}, const std::string& body = {}) {
    const bool post = line.starts_with("POST");
    return line + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n" + headers +
           (post ? "Content-Length: " + std::to_string(body.size()) + "\r\n" : "") + "\r\n" + body;
}
std::string bare(const std::string& text) { return text + "\r\n\r\n"; }

HttpLimits shortTimes() {
    HttpLimits limits;
    limits.headerSeconds = 0.15;
    limits.bodySeconds = 0.15;
    limits.secondsPerMegabyte = 0;
    limits.idleSeconds = 0.3;
    return limits;
}

} // namespace

class HttpFrontTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Bad inputs: requests that break HTTP, a limit or a rule of who may ask. Each gets its status, and the next client
    // is answered as ever.
    void badRequestsGetTheirStatus_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("newer"); // of libmicrohttpd 1.x, where it refuses by itself with the general status
        const std::string start = "POST /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n";
        const auto row = [](const char* name, const std::string& bytes, int status, int newer = -1) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << status << (newer < 0 ? status : newer);
        };
        row("fine", request("POST /x", {}, "abc"), 200);
        row("fine, HTTP/1.0", "GET /x HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n\r\n", 200);
        row("length that is no number", bare(start + "Content-Length: abc"), 400);
        row("negative length", bare(start + "Content-Length: -1"), 400);
        row("length behind a plus", start + "Content-Length: +3\r\n\r\nabc", 400);
        row("two lengths", start + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400);
        row("two lengths that are the same", start + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400);
        row("no length", bare(start + "X: y"), 411);
        row("length of 2^64", bare(start + "Content-Length: 18446744073709551616"), 413, 400);
        row("length beyond the limit", bare(start + "Content-Length: 99999999"), 413);
        row("length and chunks", start + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            400);
        row("chunks", start + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200);
        row("chunk whose size is no number", start + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n", 400);
        row("unknown coding", bare(start + "Transfer-Encoding: gzip"), 501, 400);
        row("header beyond the limit", request("GET /x", "X: " + std::string(17000, 'a') + "\r\n"), 431);
        std::string many;
        for (int i = 0; i < 3000; ++i) many += "a" + std::to_string(i) + ": b\r\n";
        row("header of 3,000 lines", request("GET /x", many), 431);
        row("address of 9,000 bytes", request("GET /" + std::string(9000, 'a')), 414);
        row("unknown method", request("BREW /x"), 405);
        row("no token", "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n", 401);
        row("wrong token", "GET /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secreT\r\n\r\n", 401);
        row("token and more", "GET /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret2\r\n\r\n", 401);
        row("another scheme", "GET /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic secret\r\n\r\n", 401);
        row("open without a token", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200);
        row("open paths have no neighbours", "GET /healthz/x HTTP/1.1\r\nHost: localhost\r\n\r\n", 401);
        row("no host", "GET /x HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n", 400);
        row("two hosts", request("GET /x", "Host: localhost\r\n"), 400);
        row("foreign host", "GET /x HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer secret\r\n\r\n", 403);
        row("foreign origin", request("GET /x", "Origin: http://evil.example\r\n"), 403);
        row("origin null", request("GET /x", "Origin: null\r\n"), 403);
        row("own origin", request("GET /x", "Origin: http://localhost\r\n"), 200);
        row("no HTTP", "hello\r\n\r\n", 0); // the connection ends
        row("HTTP/9", "GET /x HTTP/9.9\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n\r\n", 505);
        row("header without a colon", request("GET /x", "nonsense\r\n"), 400);
    }
    void badRequestsGetTheirStatus() {
        QFETCH(const QByteArray, bytes);
        QFETCH(const int, status);
        QFETCH(const int, newer);
        EchoService service;
        const int found = statusOf(service.ask(bytes.toStdString()));
        if (found != newer) QCOMPARE(found, status);
        QCOMPARE(statusOf(service.ask(request("POST /x", {}, "still here"))), 200);
        QCOMPARE(service.front->pending(), std::size_t(0));
    }

    // Bad inputs: NUL ends a word for libmicrohttpd, and newer ones refuse it: 1.x ends the connection where it is in
    // the address. Nothing behind it is taken for more.
    void nulEndsAWord() {
        EchoService service;
        RawClient client = service.client(request(std::string("GET /x\0y", 8)));
        QVERIFY(service.runUntil([&] { return client.hasAnswer() || client.hasEnded(); }));
        const int first = statusOf(client.received());
        QVERIFY2(first == 0 || first == 200 || first == 400, qPrintable(QString::number(first)));
        QCOMPARE(service.echo.path, std::string(first == 200 ? "/x" : ""));
        const std::string token("GET /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sec\0ret\r\n\r\n", 72);
        const int second = statusOf(service.ask(token));
        QVERIFY(second == 400 || second == 401);
        // In the name and in the value of a header that nobody asks for.
        for (const std::string& line : {std::string("X\0Content-Length: 99\r\n", 22), std::string("X: a\0b\r\n", 8)}) {
            const int status = statusOf(service.ask(request("POST /x", line, "abc")));
            QVERIFY2(status == 400 || (status == 200 && service.echo.bodies.rbegin()->second == "abc"),
                     qPrintable(QString::number(status)));
        }
        QCOMPARE(statusOf(service.ask(request("POST /x", {}, "still here"))), 200);
    }

    // Bad inputs: clients that are slow where a request is not whole: its deadline counts, however often a byte comes.
    void slowClientsAreCutOff_data() {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("drip");
        QTest::addColumn<int>("status");
        const QByteArray head = "POST /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n";
        QTest::newRow("request line") << QByteArray("G") << QByteArray("E") << 408;
        QTest::newRow("header lines") << head << QByteArray("X") << 408;
        QTest::newRow("body") << head + "Content-Length: 1000\r\n\r\n" << QByteArray("b") << 408;
        QTest::newRow("body that stops") << head + "Content-Length: 1000\r\n\r\nabc" << QByteArray() << 408;
        QTest::newRow("nothing at all") << QByteArray() << QByteArray() << 0;
    }
    void slowClientsAreCutOff() {
        QFETCH(const QByteArray, first);
        QFETCH(const QByteArray, drip);
        QFETCH(const int, status);
        HttpOptions options;
        options.limits = shortTimes();
        EchoService service(options);
        RawClient client = service.client();
        client.send(first.toStdString());
        const double begin = monotonicSeconds();
        double next = begin;
        QVERIFY(service.runUntil([&] {
            if (!drip.isEmpty() && monotonicSeconds() > next) client.send(drip.toStdString()), next += 0.02;
            return client.hasEnded();
        }));
        const double seconds = monotonicSeconds() - begin;
        QVERIFY2(seconds > 0.1 && seconds < 0.8, qPrintable(QString::number(seconds)));
        QCOMPARE(statusOf(client.received()), status);
        QVERIFY(service.runUntil([&] { return service.front->connections() == 0; }, 1));
        QCOMPARE(service.echo.asked.size(), std::size_t(0));
        QCOMPARE(service.echo.left.size(), std::size_t(first.contains("Content-Length") ? 1 : 0));
    }

    // Bad inputs: a client that does not take its answer is cut off, too.
    void slowReadersAreCutOff() {
        HttpOptions options;
        options.limits = shortTimes();
        options.limits.secondsPerMegabyte = 0.02;
        EchoService service(options);
        service.echo.most = 16u << 20; // beyond what sockets hold
        RawClient client = service.client();
        const std::string bytes = request("POST /x", {}, std::string(16'000'000, 'x'));
        std::size_t sent = 0;
        QVERIFY(service.runUntil([&] {
            if (sent < bytes.size()) sent += client.send(std::string_view(bytes).substr(sent, 500'000));
            return !service.echo.asked.empty();
        }));
        QCOMPARE(service.front->connections(), std::size_t(1));
        QVERIFY(service.runUntil([&] { return service.front->connections() == 0; }, 2));
        QVERIFY(client.received().size() < bytes.size());
        QCOMPARE(statusOf(service.ask(request("POST /x", {}, "still here"))), 200);
    }

    // Feature: a connection takes one request after another, several at once too, and is ended when it is idle for
    // long.
    void connectionsAreKept() {
        HttpOptions options;
        options.limits = shortTimes();
        EchoService service(options);
        RawClient client = service.client();
        for (int i = 1; i <= 3; ++i) {
            client.send(request("POST /x", {}, std::string(static_cast<std::size_t>(i), 'a')));
            QVERIFY(service.runUntil([&] { return client.hasAnswer(static_cast<std::size_t>(i)); }));
            for (int wait = 0; wait < 40; ++wait) service.runOnce(); // 0.2 s, beyond the time of a header
        }
        client.send(request("POST /x", {}, "one") + request("POST /y", {}, "two") + request("GET /z"));
        QVERIFY(service.runUntil([&] { return client.hasAnswer(6); }));
        QVERIFY(client.received().find("one") < client.received().find("two"));
        QCOMPARE(service.echo.path, std::string("/z"));
        QVERIFY(!client.hasEnded());
        QVERIFY(service.runUntil([&] { return client.hasEnded(); }, 1));
        QVERIFY(!client.received().ends_with("}")); // not with an error
    }

    void headAndOptionsAreAnswered() {
        EchoService service;
        const std::string head = service.ask(request("HEAD /x?a=1&b=%20"));
        QCOMPARE(statusOf(head), 200);
        QCOMPARE(service.echo.query, std::string("a=1&b=%20"));
        const std::string options = service.ask(request("OPTIONS /x"));
        QCOMPARE(statusOf(options), 204);
        QVERIFY(options.find("Allow: GET, HEAD, POST, OPTIONS") != std::string::npos);
    }

    // Feature: a body goes where the handler wants it, in pieces, and no further.
    void bodiesGoIntoTheirSlot() {
        EchoService service;
        service.echo.intoSlot = true;
        service.echo.most = 100'000;
        RawClient client = service.client();
        const std::string body(100'000, 'x'), bytes = request("POST /x", {}, body);
        std::size_t sent = 0;
        QVERIFY(service.runUntil([&] {
            sent += client.send(bytes.substr(sent, 7000));
            return client.hasAnswer();
        }));
        QVERIFY(service.echo.slots.at(1) == body);
        QVERIFY(service.echo.bodies.at(1) == body);

        QCOMPARE(statusOf(service.ask(request("POST /x", {}, body + "x"))), 413); // said before
        std::string chunks = "POST /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n"
                             "Transfer-Encoding: chunked\r\n\r\n186a1\r\n" +
                             body + "x\r\n0\r\n\r\n";
        RawClient second = service.client();
        sent = 0;
        QVERIFY(service.runUntil([&] {
            if (sent < chunks.size()) sent += second.send(chunks.substr(sent, 7000));
            return second.hasAnswer();
        }));
        QCOMPARE(statusOf(second.received()), 413); // found out
        QVERIFY(service.runUntil([&] { return service.echo.left.size() == 2; }));
    }

    // Fault: a client hangs up while its request is computed. The handler learns it, and its answer goes nowhere.
    void whoHangsUpIsDropped() {
        EchoService service;
        service.echo.later = true;
        RawClient client = service.client(), other = service.client();
        client.send(request("POST /x", {}, "abc"));
        other.send(request("POST /x", {}, "def"));
        QVERIFY(service.runUntil([&] { return service.echo.asked.size() == 2; }));
        const RequestId lost = service.echo.bodies.at(1) == "abc" ? 1 : 2;
        client.hangUp();
        QVERIFY(service.runUntil([&] { return service.echo.left.size() == 1; }));
        QCOMPARE(service.echo.left[0], lost);
        service.echo.reply(lost);
        service.echo.reply(3 - lost);
        QVERIFY(service.runUntil([&] { return other.hasAnswer() && service.front->connections() == 1; }));
        QVERIFY(other.received().ends_with("def"));
        QCOMPARE(service.front->pending(), std::size_t(0));
    }

    // Feature: what is refused is refused before its body is read: a short one costs no connection, behind a long one
    // the answer still arrives.
    void refusalsArrive() {
        EchoService service;
        RawClient client = service.client();
        client.send(request("POST /full", {}, std::string(3000, 'x')) + request("POST /x", {}, "next"));
        QVERIFY(service.runUntil([&] { return client.hasAnswer(2); }));
        QCOMPARE(statusOf(client.received()), 503);
        QVERIFY(client.received().find("Retry-After: 1") != std::string::npos);
        QVERIFY(client.received().ends_with("next"));

        RawClient large = service.client();
        const std::string bytes = request("POST /full", {}, std::string(4'000'000, 'x'));
        std::size_t sent = 0;
        QVERIFY(service.runUntil([&] {
            if (sent < bytes.size()) sent += large.send(bytes.substr(sent, 50'000));
            return large.hasEnded();
        }));
        QCOMPARE(statusOf(large.received()), 503);
        QVERIFY(!large.wasReset());

        RawClient polite = service.client("POST /full HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n"
                                          "Expect: 100-continue\r\nContent-Length: 900000\r\n\r\n");
        QVERIFY(service.runUntil([&] { return polite.hasAnswer(); }));
        QCOMPARE(statusOf(polite.received()), 503);
        QCOMPARE(service.echo.asked.size(), std::size_t(1));
    }

    // Fault: 1,000 clients connect and say nothing. Others are answered; one client has a share, and all together too.
    void idleClientsLeaveRoom() {
        HttpOptions options;
        options.limits.connections = 1010;
        EchoService service(options);
        std::vector<RawClient> idle;
        for (int i = 0; i < 1000; ++i) {
            idle.emplace_back(service.front->port(), ("127.0.0." + std::to_string(2 + i / 64)).c_str());
            QVERIFY(idle.back().isOpen());
            if (i % 50 == 0) service.front->run();
        }
        QVERIFY(service.runUntil([&] { return service.front->connections() == 1000; }));
        QCOMPARE(statusOf(service.ask(request("POST /x", {}, "abc"))), 200);

        RawClient tooMany(service.front->port(), "127.0.0.2"); // which has 64 already
        QVERIFY(service.runUntil([&] { return tooMany.hasEnded(); }));
        QCOMPARE(statusOf(tooMany.received()), 503);
        for (int i = 0; i < 11; ++i) idle.push_back(service.client());
        QVERIFY(service.runUntil([&] { return service.front->connections() == 1010; }));
        QVERIFY(service.runUntil([&] { return idle.back().hasEnded(); }));
        QCOMPARE(statusOf(idle.back().received()), 503);
        idle.clear();
        QVERIFY(service.runUntil([&] { return service.front->connections() == 0; }));
        QCOMPARE(statusOf(service.ask(request("POST /x", {}, "abc"))), 200);
    }

    // Feature: a client that has as many connections as it may and closes them can open others at once.
    void whoHangsUpLeavesRoom() {
        HttpOptions options;
        options.limits.connectionsOfClient = 4;
        EchoService service(options);
        std::vector<RawClient> first, second;
        for (int i = 0; i < 4; ++i) first.push_back(service.client());
        QVERIFY(service.runUntil([&] { return service.front->connections() == 4; }));
        first.clear();
        for (int i = 0; i < 4; ++i) second.push_back(service.client(request("POST /x", {}, "abc")));
        QVERIFY(service.runUntil([&] {
            return std::all_of(second.begin(), second.end(), [](RawClient& each) { return each.hasAnswer(); });
        }));
        for (RawClient& each : second) QCOMPARE(statusOf(each.received()), 200);
        QCOMPARE(service.front->connections(), std::size_t(4));
    }

    // Feature: a renewed token counts from then on, also on connections that are open.
    void aRenewedTokenCounts() {
        EchoService service;
        RawClient client = service.client(request("POST /x", {}, "abc"));
        QVERIFY(service.runUntil([&] { return client.hasAnswer(); }));
        service.front->useToken("another");
        client.send(request("POST /x", {}, "abc"));
        QVERIFY(service.runUntil([&] { return client.hasAnswer(2); }));
        QCOMPARE(statusOf(client.received().substr(client.received().find("HTTP/1.1", 9))), 401);
        QCOMPARE(statusOf(service.ask("GET /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer another\r\n\r\n")),
                 200);
    }

    // Fault: the process has no descriptor left (EMFILE). Who connects is told so, and nothing spins or ends.
    void noDescriptorsAreLeft() {
        EchoService service;
        RawClient early = service.client();
        QVERIFY(service.runUntil([&] { return service.front->connections() == 1; }));
        RawClient late = service.client();
        rlimit limit{};
        ::getrlimit(RLIMIT_NOFILE, &limit);
        const rlimit before = limit;
        limit.rlim_cur = static_cast<rlim_t>(late.fd()) + 1; // all below are open
        ::setrlimit(RLIMIT_NOFILE, &limit);
        const bool told = service.runUntil([&] { return late.hasEnded(); }, 2);
        early.send(request("POST /x", {}, "abc"));
        const bool answered = service.runUntil([&] { return early.hasAnswer(); }, 2);
        ::setrlimit(RLIMIT_NOFILE, &before);
        QVERIFY(told);
        QVERIFY(answered);
        QCOMPARE(statusOf(late.received()), 503);
        QCOMPARE(statusOf(service.ask(request("POST /x", {}, "abc"))), 200);
    }

    // Feature: a service that stops takes no new connections, answers what it has, and ends.
    void drains() {
        EchoService service;
        service.echo.later = true;
        RawClient busy = service.client(), idle = service.client();
        busy.send(request("POST /x", {}, "abc"));
        QVERIFY(service.runUntil([&] { return service.echo.asked.size() == 1 && service.front->connections() == 2; }));
        const int port = service.front->port();
        service.front->stopListening();
        QVERIFY(service.runUntil([&] { return idle.hasEnded(); }));
        QVERIFY(!RawClient(port).isOpen());
        service.echo.reply(service.echo.asked[0]);
        QVERIFY(service.runUntil([&] { return busy.hasEnded() && service.front->connections() == 0; }));
        QCOMPARE(statusOf(busy.received()), 200);
        QVERIFY(busy.received().find("Connection: close") != std::string::npos);
    }

    // The front may end while requests wait: their clients see the end of the connection.
    void endsWithOpenRequests() {
        EchoService service;
        service.echo.later = true;
        RawClient client = service.client(request("POST /x", {}, "abc"));
        QVERIFY(service.runUntil([&] { return service.echo.asked.size() == 1; }));
        service.front.reset();
        QVERIFY(client.hasEnded());
        QCOMPARE(service.echo.left.size(), std::size_t(0));
    }

    // Feature: a Unix socket is this user's alone; one that is left from a killed service is replaced, one in use is
    // not.
    void listensOnAUnixSocket() {
        const QTemporaryDir folder;
        HttpOptions options;
        options.unixSocket = folder.filePath("s").toStdString();
        const auto connectTo = [&options] {
            sockaddr_un address{};
            address.sun_family = AF_UNIX;
            std::strcpy(address.sun_path, options.unixSocket.c_str());
            UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
            if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fd.reset();
            return fd;
        };
        {
            EchoService service(options);
            QCOMPARE(std::filesystem::status(options.unixSocket).permissions(), std::filesystem::perms(0600));
            RawClient client(connectTo());
            client.send("GET /x HTTP/1.1\r\nHost: anything\r\nAuthorization: Bearer secret\r\n\r\n");
            QVERIFY(service.runUntil([&] { return client.hasAnswer(); }));
            QCOMPARE(statusOf(client.received()), 200);
            const auto second = HttpFront::open(options, service.echo);
            QVERIFY(!second);
            QVERIFY(!second.error().remedy.empty());
        }
        QVERIFY(!std::filesystem::exists(options.unixSocket));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strcpy(address.sun_path, options.unixSocket.c_str());
        const UniqueFd left(::socket(AF_UNIX, SOCK_STREAM, 0)); // bound, and nobody listens
        QCOMPARE(::bind(left.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        const EchoService again(options);
    }

    void listensOnWhatItInherits() {
        UniqueFd listener(::socket(AF_INET, SOCK_STREAM, 0)), plain(::socket(AF_INET, SOCK_STREAM, 0));
        QCOMPARE(::listen(listener.get(), 5), 0);
        HttpOptions options;
        options.inheritedFd = listener.release();
        EchoService service(options);
        QVERIFY(service.front->port() > 0);
        QCOMPARE(statusOf(service.ask(request("POST /x", {}, "abc"))), 200);
        options.inheritedFd = plain.release();
        QVERIFY(!HttpFront::open(options, service.echo));
    }

    // Bad inputs: options of a service that cannot or must not listen.
    void badOptionsAreRefused_data() {
        QTest::addColumn<QString>("host");
        QTest::addColumn<bool>("token");
        QTest::addColumn<bool>("tls");
        QTest::addColumn<bool>("plaintext");
        QTest::addColumn<bool>("ok");
        QTest::newRow("this computer") << "127.0.0.1" << true << false << false << true;
        QTest::newRow("this computer without a token") << "::1" << false << false << false << true;
        QTest::newRow("others in the clear") << "0.0.0.0" << true << false << false << false;
        QTest::newRow("others in the clear, meant") << "0.0.0.0" << true << false << true << true;
        QTest::newRow("others with TLS") << "192.168.1.5" << true << true << false << true;
        QTest::newRow("others without a token") << "192.168.1.5" << false << true << true << false;
        QTest::newRow("a name is another's") << "localhost.evil.example" << true << false << false << false;
    }
    void badOptionsAreRefused() {
        QFETCH(const QString, host);
        QFETCH(const bool, token);
        QFETCH(const bool, tls);
        QFETCH(const bool, plaintext);
        QFETCH(const bool, ok);
        HttpOptions options;
        options.host = host.toStdString();
        if (token) options.token = "secret";
        if (tls) options.tls = {"a.pem", "b.pem"};
        const auto judged = checkHttpOptions(options, plaintext);
        QCOMPARE(judged.ok(), ok);
        if (!ok) QVERIFY(!judged.error().remedy.empty());
    }

    // Bad inputs: a port that is taken, an address that is not this computer's, certificates that are none.
    void placesThatCannotBeHadAreNamed() {
        EchoService service;
        HttpOptions options;
        options.token = "secret";
        options.port = service.front->port();
        const auto taken = HttpFront::open(options, service.echo);
        QVERIFY(!taken);
        QVERIFY(taken.error().remedy.find("--port") != std::string::npos);
        options.port = 0;
        options.host = "203.0.113.1";
        QVERIFY(!HttpFront::open(options, service.echo));
        options.host = "127.0.0.1";
        options.tls = {"/nowhere/cert.pem", "/nowhere/key.pem"};
        const auto missing = HttpFront::open(options, service.echo);
        QVERIFY(!missing);
        QVERIFY(missing.error().where.find("/nowhere/cert.pem") != std::string::npos);
    }

    // Feature: TLS, spoken with a client that somebody else wrote.
    void speaksTls() {
        if (QStandardPaths::findExecutable("openssl").isEmpty() || QStandardPaths::findExecutable("curl").isEmpty())
            QSKIP("openssl or curl is not installed");
        const QTemporaryDir folder;
        const QString key = folder.filePath("key.pem"), certificate = folder.filePath("cert.pem");
        QProcess make;
        make.start("openssl", {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                               "-subj", "/CN=service.example", "-addext", "subjectAltName=DNS:service.example",
                               "-keyout", key, "-out", certificate});
        QVERIFY(make.waitForFinished(10000) && make.exitCode() == 0);
        HttpOptions options;
        options.tls = {certificate.toStdString(), key.toStdString()};
        EchoService service(options);
        // Who hangs up within the handshake, sends what is no TLS, or says nothing, costs nobody else.
        RawClient half = service.client(), garbage = service.client(), silent = service.client();
        half.send(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 of a hello", 22));
        garbage.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        QVERIFY(service.runUntil([&] { return service.front->connections() >= 2; }));
        half.hangUp();
        QVERIFY(service.runUntil([&] { return garbage.hasEnded() && service.front->connections() == 1; }));
        QVERIFY(silent.isOpen());
        // The name of the certificate, which is not that of this computer.
        const QString port = QString::number(service.front->port()), url = "https://service.example:" + port + "/x";
        const QStringList common{"-sS", "--cacert", certificate, "--resolve", "service.example:" + port + ":127.0.0.1"};
        QProcess curl;
        curl.start("curl", common +
                               QStringList{"-H", "Authorization: Bearer secret", "--data-binary", "abc", "--max-time",
                                           "5", url, "--next"} +
                               common + QStringList{"-H", "Authorization: Bearer wrong", url});
        QVERIFY(service.runUntil([&] { return curl.waitForFinished(0) || curl.state() == QProcess::NotRunning; }));
        const QByteArray said = curl.readAll();
        QVERIFY2(said.startsWith("abc{\"error\":\"the token"), said.constData());
        QVERIFY(service.front->url().starts_with("https://"));
    }
};

QTEST_GUILESS_MAIN(HttpFrontTest)
#include "http_front_test.moc"
