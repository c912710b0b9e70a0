// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/http_file.h"

#include "engine/base/unique_fd.h"
#include "engine/fetch/curl_library.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace trainyard::fetch {

namespace {

constexpr long kPartial = 206, kWhole = 200, kRangeRefused = 416;

struct Transfer {
    const CurlLibrary& curl;
    CURL* handle = nullptr;
    int fd = -1;
    std::int64_t at = 0; // the part's end
    const HttpOptions& options;
    bool started = false, otherLength = false;
    int writeError = 0;
};

// The first bytes decide: a server that ignores the range sends the whole file.
bool begin(Transfer& transfer) {
    long status = 0;
    transfer.curl.get(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
    if (status != kPartial && status != kWhole) return false; // the text of an error page
    curl_off_t length = -1;
    transfer.curl.get(transfer.handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    const std::int64_t from = status == kWhole ? 0 : transfer.at;
    transfer.otherLength = length >= 0 && from + length != transfer.options.bytes;
    if (transfer.otherLength) return false; // what is there already is left alone
    if (status == kWhole && transfer.at > 0) {
        if (::ftruncate(transfer.fd, 0) != 0) {
            transfer.writeError = errno;
            return false;
        }
        ::lseek(transfer.fd, 0, SEEK_SET);
        transfer.at = 0;
    }
    transfer.started = true;
    return true;
}

std::size_t onBytes(char* bytes, std::size_t one, std::size_t count, void* user) {
    auto& transfer = *static_cast<Transfer*>(user);
    const std::size_t size = one * count;
    if (!transfer.started && !begin(transfer)) return transfer.writeError != 0 || transfer.otherLength ? 0 : size;
    if (transfer.at + static_cast<std::int64_t>(size) > transfer.options.bytes) {
        transfer.otherLength = true;
        return 0;
    }
    for (std::size_t done = 0; done < size;) {
        const ssize_t got = ::write(transfer.fd, bytes + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            transfer.writeError = errno;
            return 0;
        }
        done += static_cast<std::size_t>(got);
        transfer.at += got;
    }
    if (transfer.options.arrived) transfer.options.arrived(transfer.at);
    return size;
}

void configure(Transfer& transfer, const std::string& address, const std::string& range) {
    const auto set = [&](CURLoption option, auto value) { transfer.curl.set(transfer.handle, option, value); };
    set(CURLOPT_URL, address.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 5L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "trainyard/" TRAINYARD_VERSION);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(transfer.options.connectSeconds * 1000));
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(transfer.options.idleSeconds + 0.999));
    set(CURLOPT_WRITEFUNCTION, static_cast<std::size_t (*)(char*, std::size_t, std::size_t, void*)>(onBytes));
    set(CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
    if (!range.empty()) set(CURLOPT_RANGE, range.c_str());
}

Result<void> judge(const Transfer& transfer, CURLcode code, const std::string& address,
                   const std::filesystem::path& part) {
    if (transfer.writeError != 0) {
        errno = transfer.writeError;
        return systemError("cannot be written", part.string(), "free some space or choose another folder with --to");
    }
    long status = 0;
    transfer.curl.get(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
    if (transfer.otherLength)
        return inputError("the server has a file of another length than the published " +
                              std::to_string(transfer.options.bytes) + " bytes",
                          address);
    if (code == CURLE_OK && status == kRangeRefused) { // what is there cannot be a part of this file
        if (::ftruncate(transfer.fd, 0) != 0) return systemError("cannot be written", part.string());
        return runError("the server has less than what is there already", address);
    }
    if (code == CURLE_OK && status != kPartial && status != kWhole)
        return inputError("the server answers " + std::to_string(status), address);
    if (code == CURLE_OPERATION_TIMEDOUT && transfer.started) return runError("the server fell silent", address);
    if (code != CURLE_OK) return runError(transfer.curl.errorText(code), address);
    if (transfer.at < transfer.options.bytes)
        return runError("the server sent " + std::to_string(transfer.at) + " of " +
                            std::to_string(transfer.options.bytes) + " bytes",
                        address);
    return {};
}

} // namespace

Result<void> fetchInto(const std::string& address, const std::filesystem::path& part, const HttpOptions& options) {
    TY_ASSIGN(const CurlLibrary* curl, CurlLibrary::load());
    UniqueFd fd(::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (!fd) return systemError("cannot be written", part.string(), "choose another folder with --to");
    const off_t there = ::lseek(fd.get(), 0, SEEK_END);
    Transfer transfer{.curl = *curl, .fd = fd.get(), .at = there, .options = options};
    const std::unique_ptr<CURL, decltype(curl->cleanup)> handle(curl->init(), curl->cleanup);
    if (!handle) return environmentError("not enough memory for a download");
    transfer.handle = handle.get();
    const std::string range = there > 0 ? std::to_string(there) + "-" : std::string();
    configure(transfer, address, range);
    const CURLcode code = curl->perform(handle.get());
    TY_TRY(judge(transfer, code, address, part));
    if (::fsync(fd.get()) != 0) return systemError("cannot be written", part.string());
    return {};
}

} // namespace trainyard::fetch
