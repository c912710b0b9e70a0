// SPDX-License-Identifier: GPL-3.0-or-later
// A library that does as soon as it is loaded what a look at a plug-in must not let it do: it writes a file, visits a
// port of this computer, starts another program or becomes one. Which of these, the environment says.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

bool write(const char* path) {
    std::FILE* file = std::fopen(path, "w");
    return file && std::fclose(file) == 0;
}

bool visit(const char* port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool there = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return there;
}

bool become(const char* command) { return ::execl("/bin/sh", "sh", "-c", command, nullptr) == 0; }

bool start(const char* command) { return std::system(command) == 0; }

bool done(const char* variable, bool (*what)(const char*)) {
    const char* value = std::getenv(variable);
    return value && what(value);
}

[[maybe_unused]] const bool kDone = done("PLUGIN_WRITES", write) || done("PLUGIN_VISITS", visit) ||
                                    done("PLUGIN_STARTS", start) || done("PLUGIN_BECOMES", become);

} // namespace
