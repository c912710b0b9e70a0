// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/http/http_front.h"

#include "engine/base/clock.h"
#include "engine/serve/http/front_connection.h"
#include "engine/serve/http/http_judge.h"
#include "engine/serve/http/microhttpd_library.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

namespace trainyard::serve {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kLongest = 60;               // seconds between two calls of run()
constexpr double kSweepSeconds = 0.25;        // deadlines are kept to this, or to a tenth of the shortest
constexpr std::size_t kDroppedBody = 1 << 16; // a refused body up to here is read, so that its connection can go on
constexpr int kAcceptsAtOnce = 64;
constexpr std::size_t kUsualHeaders = 16;
// MHD_USE_NO_THREAD_SAFETY of 0.9.77 and newer ones, which would else take connections later than they are added.
constexpr unsigned kInOneThread = 1u << 19;

HttpMethod methodOf(std::string_view word) {
    if (word == "GET") return HttpMethod::Get;
    if (word == "POST") return HttpMethod::Post;
    if (word == "HEAD") return HttpMethod::Head;
    if (word == "OPTIONS") return HttpMethod::Options;
    return HttpMethod::Other;
}

MHD_Result keepHeader(void* cls, MHD_ValueKind, const char* key, std::size_t keyBytes, const char* value,
                      std::size_t valueBytes) {
    auto* headers = static_cast<HttpHead*>(cls);
    headers->headers.emplace_back(std::string_view(key, keyBytes), std::string_view(value ? value : "", valueBytes));
    return MHD_YES;
}

void freeAnswer(void* cls) { delete static_cast<HttpAnswer*>(cls); }
// Addresses stay as they were sent: who reads them decodes them, and sees what was encoded.
std::size_t keepEncoded(void*, MHD_Connection*, char* text) { return std::strlen(text); }

Result<std::string> readPem(const std::filesystem::path& file, const char* option) {
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (!stream.good() && !stream.eof()) text.clear();
    if (text.find("-----BEGIN ") == std::string::npos)
        return inputError("it is no PEM file that can be read", std::string(option) + " " + file.string(),
                          "give a certificate or key that begins with -----BEGIN");
    return text;
}

} // namespace

// The parts of a front: the listener brings connections, libmicrohttpd speaks HTTP on them, the clocks of the book end
// them, the handler answers.
class HttpFront::Private {
public:
    Private(HttpOptions options, HttpHandler& handler, const MicrohttpdLibrary& http)
        : m_options(std::move(options)), m_handler(handler), m_http(http), m_book(m_options.limits) {}
    ~Private();

    Result<void> open();
    void run();
    double nextTimeout() const;
    void answer(RequestId id, HttpAnswer answer);
    void stopListening();
    void useToken(std::string token) { m_options.token = std::move(token); }

    int fd() const { return m_epoll.get(); }
    std::size_t connections() const { return m_book.size(); }
    std::size_t pending() const { return m_pending.size(); }
    int port() const { return m_port; }
    const HttpOptions& options() const { return m_options; }

private:
    Result<void> startDaemon();
    void watch(int fd, std::uint32_t events, void* tag);
    bool acceptConnections();
    void refuseConnection(const AcceptedSocket& socket, ConnectionBook::Room room);
    void noticeBytes(FrontConnection& connection, std::uint32_t events);
    void sweep();
    void expire(FrontConnection& connection);
    bool wantsAnotherRound() const;

    // What libmicrohttpd calls.
    static void connectionChanged(void* cls, MHD_Connection* handle, void** context,
                                  MHD_ConnectionNotificationCode code);
    static void* lineCame(void* cls, const char* target, MHD_Connection* handle);
    static MHD_Result access(void* cls, MHD_Connection* handle, const char* path, const char* method,
                             const char* version, const char* data, std::size_t* bytes, void** context);
    static void requestEnded(void* cls, MHD_Connection* handle, void** context, MHD_RequestTerminationCode code);

    MHD_Result begin(FrontConnection& connection, std::string_view method, std::string_view version);
    MHD_Result refuse(FrontConnection& connection, const HttpHead& head, HttpAnswer answer);
    MHD_Result complete(FrontConnection& connection);
    MHD_Result send(FrontConnection& connection);

    HttpOptions m_options;
    HttpHandler& m_handler;
    const MicrohttpdLibrary& m_http;
    ConnectionBook m_book;
    LingeringSockets m_lingering;
    std::optional<HttpListener> m_listener;
    UniqueFd m_epoll; // libmicrohttpd's own, the listener and all connections
    MHD_Daemon* m_daemon = nullptr;
    std::unordered_map<RequestId, FrontConnection*> m_pending; // with the handler
    RequestId m_lastId = 0;
    const AcceptedSocket* m_accepted = nullptr; // while libmicrohttpd takes it
    double m_now = 0, m_nextSweep = 0;
    int m_port = 0;
    bool m_hasAnswers = false, m_isDraining = false;
};

HttpFront::Private::~Private() {
    m_pending.clear();
    m_listener.reset();
    if (!m_daemon) return;
    m_book.each([this](FrontConnection& connection) {
        ::shutdown(connection.fd, SHUT_RDWR);
        if (!connection.request) return;
        connection.request->isGone = true;
        if (std::exchange(connection.request->isSuspended, false)) m_http.resume(connection.handle);
    });
    m_http.run(m_daemon); // takes the resumed ones back
    m_http.stop(m_daemon);
}

Result<void> HttpFront::Private::open() {
    TY_ASSIGN(m_listener, HttpListener::open(m_options));
    m_port = m_listener->port();
    m_epoll.reset(::epoll_create1(EPOLL_CLOEXEC));
    if (!m_epoll) return systemError("cannot watch sockets");
    TY_TRY(startDaemon());
    watch(m_listener->fd(), EPOLLIN, &m_listener);
    const MHD_DaemonInfo* info = m_http.daemonInfo(m_daemon, MHD_DAEMON_INFO_EPOLL_FD);
    watch(info->epoll_fd, EPOLLIN, nullptr);
    m_now = monotonicSeconds();
    return {};
}

Result<void> HttpFront::Private::startDaemon() {
    const bool tls = !m_options.tls.certificateFile.empty();
    std::string certificate, key;
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_TURBO | kInOneThread;
    std::vector<MHD_OptionItem> more;
    if (tls) {
        if (m_http.isSupported(MHD_FEATURE_TLS) != MHD_YES)
            return environmentError("this libmicrohttpd has no TLS", {}, "install the distribution's libmicrohttpd12");
        TY_ASSIGN(certificate, readPem(m_options.tls.certificateFile, "--certificate"));
        TY_ASSIGN(key, readPem(m_options.tls.keyFile, "--key"));
        flags |= MHD_USE_TLS;
        more.push_back({MHD_OPTION_HTTPS_MEM_CERT, 0, certificate.data()});
        more.push_back({MHD_OPTION_HTTPS_MEM_KEY, 0, key.data()});
    }
    more.push_back({MHD_OPTION_END, 0, nullptr});
    // Room for a header of full size, and for the lists that are made of it.
    const std::size_t memory = m_options.limits.headerBytes + 16 * 1024;
    m_daemon =
        m_http.start(flags, 0, nullptr, nullptr, &Private::access, this, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
                     MHD_OPTION_CONNECTION_LIMIT, static_cast<unsigned>(m_options.limits.connections + 8),
                     MHD_OPTION_CONNECTION_TIMEOUT, 0u, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION,
                     &Private::connectionChanged, this, MHD_OPTION_NOTIFY_COMPLETED, &Private::requestEnded, this,
                     MHD_OPTION_URI_LOG_CALLBACK, &Private::lineCame, this, MHD_OPTION_UNESCAPE_CALLBACK, &keepEncoded,
                     nullptr, MHD_OPTION_ARRAY, more.data(), MHD_OPTION_END);
    if (m_daemon) return {};
    if (tls)
        return inputError("the certificate and the key cannot be used", m_options.tls.certificateFile.string(),
                          "give the private key that belongs to the certificate, without a password");
    return environmentError("libmicrohttpd does not start", {}, "look for limits of open files and memory");
}

void HttpFront::Private::watch(int fd, std::uint32_t events, void* tag) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = tag;
    ::epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, fd, &event);
}

void HttpFront::Private::run() {
    m_now = monotonicSeconds();
    std::array<epoll_event, 256> events;
    const int ready = ::epoll_wait(m_epoll.get(), events.data(), static_cast<int>(events.size()), 0);
    bool hasWork = std::exchange(m_hasAnswers, false) || wantsAnotherRound(), hasNew = false;
    for (int i = 0; i < ready; ++i) {
        void* tag = events[static_cast<std::size_t>(i)].data.ptr;
        if (tag == nullptr) hasWork = true;
        else if (tag == &m_listener) hasNew = true;
        else noticeBytes(*static_cast<FrontConnection*>(tag), events[static_cast<std::size_t>(i)].events);
    }
    if (hasNew) hasWork = acceptConnections() || hasWork; // last: what has ended leaves room
    // Once: after an answer it would look for the next request, which comes a little later.
    if (std::exchange(m_hasAnswers, false) || hasWork) m_http.run(m_daemon);
    if (m_now >= m_nextSweep) sweep();
}

bool HttpFront::Private::wantsAnotherRound() const {
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    return m_http.timeout(m_daemon, &milliseconds) == MHD_YES && milliseconds == 0;
}

double HttpFront::Private::nextTimeout() const {
    if (m_hasAnswers || wantsAnotherRound()) return 0;
    if (m_book.size() == 0 && m_lingering.isEmpty()) return kLongest;
    return std::clamp(m_nextSweep - monotonicSeconds(), 0.0, kLongest);
}

bool HttpFront::Private::acceptConnections() {
    bool any = false, hasLooked = false;
    for (int i = 0; i < kAcceptsAtOnce && m_listener; ++i) {
        auto socket = m_listener->accept();
        if (!socket) break;
        auto room = m_book.roomFor(socket->client);
        if (room != ConnectionBook::Room::Free && !std::exchange(hasLooked, true)) {
            m_http.run(m_daemon); // some may have ended in the meantime
            room = m_book.roomFor(socket->client);
        }
        if (room != ConnectionBook::Room::Free) {
            refuseConnection(*socket, room);
            continue;
        }
        m_accepted = &*socket;
        const int fd = socket->fd.release(); // libmicrohttpd closes it in any case
        m_http.addConnection(m_daemon, fd, reinterpret_cast<const sockaddr*>(&socket->address), socket->addressBytes);
        m_accepted = nullptr;
        any = true;
    }
    return any;
}

void HttpFront::Private::refuseConnection(const AcceptedSocket& socket, ConnectionBook::Room room) {
    if (!m_options.tls.certificateFile.empty()) return; // it would read the answer as a broken handshake
    const bool full = room == ConnectionBook::Room::Full;
    const HttpAnswer answer =
        errorAnswer(503, full ? "there are too many connections" : "this client has too many connections", {},
                    "close some, or send requests one after another on each");
    const std::string text = rawAnswer(503, "Service Unavailable", answer.body);
    (void)::send(socket.fd.get(), text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

void HttpFront::Private::connectionChanged(void* cls, MHD_Connection* handle, void** context,
                                           MHD_ConnectionNotificationCode code) {
    auto& front = *static_cast<Private*>(cls);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const MHD_ConnectionInfo* info = front.m_http.connectionInfo(handle, MHD_CONNECTION_INFO_CONNECTION_FD);
        const std::string client = front.m_accepted ? front.m_accepted->client : std::string();
        FrontConnection& made = front.m_book.add(info->connect_fd, handle, client, front.m_now);
        *context = &made;
        front.watch(made.fd, EPOLLIN | EPOLLRDHUP | EPOLLET, &made);
        front.m_nextSweep = std::min(front.m_nextSweep, front.m_now + kSweepSeconds);
    } else if (auto* connection = static_cast<FrontConnection*>(*context)) {
        ::epoll_ctl(front.m_epoll.get(), EPOLL_CTL_DEL, connection->fd, nullptr);
        if (connection->lingering) front.m_lingering.add(std::move(connection->lingering), front.m_now);
        front.m_book.remove(*connection);
        *context = nullptr;
    }
}

void HttpFront::Private::noticeBytes(FrontConnection& connection, std::uint32_t events) {
    if ((events & EPOLLIN) != 0) connection.clock.bytesCame(m_now);
    if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) == 0 || !connection.request) return;
    FrontRequest& request = *connection.request;
    if (!request.isComplete || m_pending.erase(request.id) == 0) return; // libmicrohttpd sees the end itself
    request.isGone = true;
    if (std::exchange(request.isSuspended, false)) m_http.resume(connection.handle);
    m_hasAnswers = true;
    m_handler.gone(request.id);
}

void* HttpFront::Private::lineCame(void* cls, const char* target, MHD_Connection* handle) {
    auto& front = *static_cast<Private*>(cls);
    const MHD_ConnectionInfo* info = front.m_http.connectionInfo(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    auto* connection = static_cast<FrontConnection*>(info->socket_context);
    connection->target = target;
    connection->request.reset();
    connection->clock.lineCame(front.m_now);
    return connection;
}

MHD_Result HttpFront::Private::access(void* cls, MHD_Connection*, const char*, const char* method, const char* version,
                                      const char* data, std::size_t* bytes, void** context) {
    auto& front = *static_cast<Private*>(cls);
    auto& connection = *static_cast<FrontConnection*>(*context);
    if (!connection.request) return front.begin(connection, method, version);
    if (*bytes == 0) return front.complete(connection);
    if (!connection.request->take({data, *bytes})) {
        const HttpAnswer answer =
            errorAnswer(413, "the body is longer than this model takes", {}, "send fewer rows at once");
        const std::string text = rawAnswer(413, "Content Too Large", answer.body);
        if (front.m_options.tls.certificateFile.empty())
            (void)::send(connection.fd, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        connection.lingering.reset(::fcntl(connection.fd, F_DUPFD_CLOEXEC, 0));
        return MHD_NO;
    }
    *bytes = 0;
    return MHD_YES;
}

MHD_Result HttpFront::Private::begin(FrontConnection& connection, std::string_view method, std::string_view version) {
    HttpHead head;
    head.headers.reserve(kUsualHeaders);
    head.method = methodOf(method);
    const std::string_view target = connection.target;
    head.path = target.substr(0, target.find('?'));
    if (head.path.size() < target.size()) head.query = target.substr(head.path.size() + 1);
    m_http.values(connection.handle, MHD_HEADER_KIND, &keepHeader, &head);

    BodyLength length = bodyLengthOf(head, m_options.limits);
    head.bodyBytes = length.bytes;
    connection.clock.headCame(m_now, length.bytes);
    FrontRequest& request = connection.request.emplace();
    request.id = ++m_lastId;
    const MHD_ConnectionInfo* info = m_http.connectionInfo(connection.handle, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (auto refusal = judgeHead(head, version, info ? info->header_size : 0, m_options, m_port))
        return refuse(connection, head, std::move(*refusal));
    if (length.refusal) return refuse(connection, head, std::move(*length.refusal));

    if (head.method == HttpMethod::Head) head.method = HttpMethod::Get;
    m_pending.emplace(request.id, &connection);
    BodyPlan plan = m_handler.head(request.id, head);
    if (plan.answer) {
        m_pending.erase(request.id);
        return refuse(connection, head, std::move(*plan.answer));
    }
    request.into = plan.into;
    request.most = plan.into.empty() ? plan.most : plan.into.size();
    request.expected = static_cast<std::size_t>(length.bytes.value_or(0));
    if (length.bytes.value_or(0) > request.most) {
        m_pending.erase(request.id);
        m_handler.gone(request.id);
        return refuse(
            connection, head,
            errorAnswer(413, "the body is longer than this model takes", "Content-Length", "send fewer rows at once"));
    }
    return MHD_YES;
}

// An answer before the body. A short body is read and dropped first, so that the connection lives on; behind a long one
// the connection ends.
MHD_Result HttpFront::Private::refuse(FrontConnection& connection, const HttpHead& head, HttpAnswer answer) {
    FrontRequest& request = *connection.request;
    request.answer = std::move(answer);
    const bool hasBody = head.bodyBytes != std::optional<std::uint64_t>(0) || head.count("Content-Length") > 0;
    if (!hasBody) return send(connection);
    const bool waits = head.count("Expect") > 0;
    if (!waits && head.bodyBytes && *head.bodyBytes <= kDroppedBody && head.count("Content-Length") == 1) {
        request.isDropped = true;
        return MHD_YES;
    }
    if (!waits && m_options.tls.certificateFile.empty())
        connection.lingering.reset(::fcntl(connection.fd, F_DUPFD_CLOEXEC, 0));
    return send(connection);
}

MHD_Result HttpFront::Private::complete(FrontConnection& connection) {
    FrontRequest& request = *connection.request;
    if (request.isGone) return MHD_NO;
    if (request.answer) return send(connection);
    if (!std::exchange(request.isComplete, true)) {
        connection.clock.bodyCame(m_now);
        m_handler.body(request.id, request.body());
        if (request.answer) return send(connection);
    }
    request.isSuspended = true;
    m_http.suspend(connection.handle);
    return MHD_YES;
}

MHD_Result HttpFront::Private::send(FrontConnection& connection) {
    auto* answer = new HttpAnswer(std::move(*connection.request->answer));
    connection.request->answer.reset();
    connection.clock.answered(m_now, answer->body.size());
    MHD_Response* response = m_http.makeResponse(answer->body.size(), answer->body.data(), &freeAnswer, answer);
    if (!response) return freeAnswer(answer), MHD_NO;
    if (!answer->contentType.empty()) m_http.addHeader(response, "Content-Type", answer->contentType.c_str());
    for (const auto& [name, value] : answer->headers) m_http.addHeader(response, name.c_str(), value.c_str());
    if (m_isDraining) m_http.addHeader(response, "Connection", "close");
    const MHD_Result queued = m_http.queue(connection.handle, static_cast<unsigned>(answer->status), response);
    m_http.destroyResponse(response);
    return queued;
}

void HttpFront::Private::answer(RequestId id, HttpAnswer answer) {
    const auto found = m_pending.find(id);
    if (found == m_pending.end()) return;
    FrontConnection& connection = *found->second;
    m_pending.erase(found);
    FrontRequest& request = *connection.request;
    request.answer = std::move(answer);
    request.isDropped = !request.isComplete;
    if (!std::exchange(request.isSuspended, false)) return;
    m_http.resume(connection.handle);
    m_hasAnswers = true;
}

void HttpFront::Private::requestEnded(void* cls, MHD_Connection*, void** context, MHD_RequestTerminationCode) {
    auto& front = *static_cast<Private*>(cls);
    auto* connection = static_cast<FrontConnection*>(*context);
    if (!connection || !connection->request) return;
    const RequestId id = connection->request->id;
    connection->request.reset();
    connection->clock.ended(front.m_now);
    if (front.m_pending.erase(id) > 0) front.m_handler.gone(id);
    if (front.m_isDraining) ::shutdown(connection->fd, SHUT_RD);
}

void HttpFront::Private::sweep() {
    m_lingering.sweep(m_now);
    double next = kNever;
    m_book.each([this, &next](FrontConnection& connection) {
        const double deadline = connection.clock.deadline();
        if (deadline <= m_now) expire(connection);
        else next = std::min(next, deadline);
    });
    const HttpLimits& limits = m_options.limits;
    const double shortest = std::min({limits.headerSeconds, limits.bodySeconds, limits.idleSeconds});
    const double soonest = m_now + std::min(kSweepSeconds, shortest / 10);
    m_nextSweep = m_lingering.isEmpty() ? std::min(std::max(next, soonest), m_now + shortest) : soonest;
}

void HttpFront::Private::expire(FrontConnection& connection) {
    const auto phase = connection.clock.phase();
    const bool began = phase == ConnectionClock::Phase::Header || phase == ConnectionClock::Phase::Body ||
                       (phase == ConnectionClock::Phase::Idle && !connection.clock.isIdle());
    if (began && m_options.tls.certificateFile.empty()) {
        const HttpAnswer answer =
            errorAnswer(408, "the request did not come in time", {}, "send it faster, or less at once");
        const std::string text = rawAnswer(408, "Request Timeout", answer.body);
        (void)::send(connection.fd, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    ::shutdown(connection.fd, SHUT_RDWR);
}

void HttpFront::Private::stopListening() {
    m_isDraining = true;
    m_listener.reset();
    m_book.each([](FrontConnection& connection) {
        if (connection.clock.isIdle()) ::shutdown(connection.fd, SHUT_RD);
    });
}

HttpFront::HttpFront(std::unique_ptr<Private> made) : d(std::move(made)) {}
HttpFront::~HttpFront() = default;

Result<std::unique_ptr<HttpFront>> HttpFront::open(HttpOptions options, HttpHandler& handler) {
    TY_TRY(checkHttpOptions(options, true));
    TY_ASSIGN(const MicrohttpdLibrary* http, MicrohttpdLibrary::load());
    auto made = std::make_unique<Private>(std::move(options), handler, *http);
    TY_TRY(made->open());
    return std::unique_ptr<HttpFront>(new HttpFront(std::move(made)));
}

int HttpFront::fd() const { return d->fd(); }
void HttpFront::run() { d->run(); }
double HttpFront::nextTimeout() const { return d->nextTimeout(); }
void HttpFront::answer(RequestId id, HttpAnswer answer) { d->answer(id, std::move(answer)); }
void HttpFront::stopListening() { d->stopListening(); }
void HttpFront::useToken(std::string token) { d->useToken(std::move(token)); }
std::size_t HttpFront::connections() const { return d->connections(); }
std::size_t HttpFront::pending() const { return d->pending(); }
int HttpFront::port() const { return d->port(); }

std::string HttpFront::url() const {
    const HttpOptions& options = d->options();
    if (!options.unixSocket.empty()) return "unix:" + options.unixSocket.string();
    const bool six = options.host.find(':') != std::string::npos;
    return (options.tls.certificateFile.empty() ? "http://" : "https://") +
           (six ? "[" + options.host + "]" : options.host) + ":" + std::to_string(d->port());
}

} // namespace trainyard::serve
