// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#define CURL_DISABLE_TYPECHECK // its macros would take the members below for the functions of the same name
#include <curl/curl.h>

namespace trainyard::fetch {

// The functions of libcurl that are used, from the library found at run time.
struct CurlLibrary {
    decltype(&curl_easy_init) init = nullptr;
    decltype(&curl_easy_cleanup) cleanup = nullptr;
    decltype(&curl_easy_perform) perform = nullptr;
    decltype(&curl_easy_strerror) errorText = nullptr;
    decltype(&curl_slist_append) append = nullptr;
    decltype(&curl_slist_free_all) freeList = nullptr;
    CURLcode (*set)(CURL*, CURLoption, ...) = nullptr;
    CURLcode (*get)(CURL*, CURLINFO, ...) = nullptr;

    // Loaded once for the whole process. Environment: libcurl.so.4 is not there.
    static Result<const CurlLibrary*> load();
};

} // namespace trainyard::fetch
