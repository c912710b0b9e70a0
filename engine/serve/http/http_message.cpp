// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/http/http_message.h"

#include "engine/serve/values/error_body.h"

#include <strings.h>

namespace trainyard::serve {

namespace {

bool isSameName(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace

std::string_view HttpHead::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (isSameName(key, name)) return value;
    return {};
}

std::size_t HttpHead::count(std::string_view name) const {
    std::size_t found = 0;
    for (const auto& [key, value] : headers) found += isSameName(key, name) ? 1 : 0;
    return found;
}

HttpAnswer errorAnswer(int status, std::string message, std::string where, std::string remedy) {
    HttpAnswer answer;
    answer.status = status;
    answer.body = errorBody(inputError(std::move(message), std::move(where), std::move(remedy)));
    return answer;
}

} // namespace trainyard::serve
