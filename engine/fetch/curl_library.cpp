// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fetch/curl_library.h"

#include <dlfcn.h>

namespace trainyard::fetch {

namespace {

struct Loaded {
    CurlLibrary library;
    std::string problem;
};

template <class Function>
bool find(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    return function != nullptr;
}

Loaded loadLibrary() {
    Loaded loaded;
    void* handle = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* text = ::dlerror();
        loaded.problem = text ? text : "it cannot be loaded";
        return loaded;
    }
    CurlLibrary& curl = loaded.library;
    decltype(&curl_global_init) start = nullptr;
    const bool whole = find(handle, "curl_easy_init", curl.init) && find(handle, "curl_easy_cleanup", curl.cleanup) &&
                       find(handle, "curl_easy_perform", curl.perform) && find(handle, "curl_easy_setopt", curl.set) &&
                       find(handle, "curl_easy_getinfo", curl.get) &&
                       find(handle, "curl_easy_strerror", curl.errorText) &&
                       find(handle, "curl_slist_append", curl.append) &&
                       find(handle, "curl_slist_free_all", curl.freeList) && find(handle, "curl_global_init", start);
    if (!whole || start(CURL_GLOBAL_DEFAULT) != CURLE_OK) loaded.problem = "it cannot be used";
    return loaded;
}

} // namespace

Result<const CurlLibrary*> CurlLibrary::load() {
    static const Loaded loaded = loadLibrary();
    if (!loaded.problem.empty())
        return environmentError("libcurl is needed: " + loaded.problem, {}, "apt install libcurl4");
    return &loaded.library;
}

} // namespace trainyard::fetch
