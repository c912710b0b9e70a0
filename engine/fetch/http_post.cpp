// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/http_post.h"

#include "engine/fetch/curl_library.h"

#include <algorithm>
#include <cctype>
#include <memory>

namespace trainyard::fetch {

namespace {

constexpr std::size_t kMostAnswer = 64u << 20;

std::size_t onAnswer(char* bytes, std::size_t one, std::size_t count, void* user) {
    auto& answer = *static_cast<HttpPosted*>(user);
    if (answer.body.size() + one * count > kMostAnswer) return 0;
    answer.body.append(bytes, one * count);
    return one * count;
}

std::size_t onHeader(char* bytes, std::size_t one, std::size_t count, void* user) {
    std::string line(bytes, one * count);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    std::transform(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(std::min(line.find(':'), line.size())),
                   line.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    static_cast<HttpPosted*>(user)->headers.push_back(std::move(line));
    return one * count;
}

} // namespace

std::string HttpPosted::header(std::string_view name) const {
    for (const std::string& each : headers)
        if (each.starts_with(name) && each.size() > name.size() + 1 && each[name.size()] == ':')
            return each.substr(each.find_first_not_of(' ', name.size() + 1));
    return {};
}

Result<HttpPosted> postHttp(const HttpPost& post) {
    TY_ASSIGN(const CurlLibrary* const curl, CurlLibrary::load());
    const std::unique_ptr<CURL, decltype(curl->cleanup)> handle(curl->init(), curl->cleanup);
    if (!handle) return environmentError("libcurl cannot begin", post.url);
    const auto set = [&](CURLoption option, auto value) { curl->set(handle.get(), option, value); };
    HttpPosted answer;
    curl_slist* lines = curl->append(nullptr, "Expect:"); // nobody waits for a "100 Continue"
    for (const std::string& each : post.headers) lines = curl->append(lines, each.c_str());
    const std::unique_ptr<curl_slist, decltype(curl->freeList)> headers(lines, curl->freeList);
    set(CURLOPT_URL, post.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_NOPROXY, "*");
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(post.seconds * 1000));
    set(CURLOPT_HTTPHEADER, headers.get());
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, post.body.data());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(post.body.size()));
    set(CURLOPT_WRITEFUNCTION, static_cast<std::size_t (*)(char*, std::size_t, std::size_t, void*)>(onAnswer));
    set(CURLOPT_WRITEDATA, static_cast<void*>(&answer));
    set(CURLOPT_HEADERFUNCTION, static_cast<std::size_t (*)(char*, std::size_t, std::size_t, void*)>(onHeader));
    set(CURLOPT_HEADERDATA, static_cast<void*>(&answer));
    if (!post.unixSocket.empty()) set(CURLOPT_UNIX_SOCKET_PATH, post.unixSocket.c_str());
    if (!post.certificate.empty()) {
        set(CURLOPT_CAINFO, post.certificate.c_str());
        set(CURLOPT_SSL_VERIFYHOST, 0L);
    }
    const CURLcode code = curl->perform(handle.get());
    if (code != CURLE_OK) return environmentError(curl->errorText(code), post.url);
    long status = 0;
    curl->get(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    answer.status = static_cast<int>(status);
    return answer;
}

} // namespace trainyard::fetch
