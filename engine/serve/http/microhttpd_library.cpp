// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/http/microhttpd_library.h"

#include <dlfcn.h>

namespace trainyard::serve {

namespace {

struct LoadedMicrohttpd {
    MicrohttpdLibrary library;
    std::string problem;
};

template <class Function>
bool findFunction(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    return function != nullptr;
}

LoadedMicrohttpd loadMicrohttpd() {
    LoadedMicrohttpd loaded;
    void* handle = ::dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* text = ::dlerror();
        loaded.problem = text ? text : "it cannot be loaded";
        return loaded;
    }
    MicrohttpdLibrary& http = loaded.library;
    const bool whole =
        findFunction(handle, "MHD_start_daemon", http.start) && findFunction(handle, "MHD_stop_daemon", http.stop) &&
        findFunction(handle, "MHD_run", http.run) && findFunction(handle, "MHD_get_timeout", http.timeout) &&
        findFunction(handle, "MHD_add_connection", http.addConnection) &&
        findFunction(handle, "MHD_get_daemon_info", http.daemonInfo) &&
        findFunction(handle, "MHD_get_connection_info", http.connectionInfo) &&
        findFunction(handle, "MHD_get_connection_values_n", http.values) &&
        findFunction(handle, "MHD_suspend_connection", http.suspend) &&
        findFunction(handle, "MHD_resume_connection", http.resume) &&
        findFunction(handle, "MHD_create_response_from_buffer_with_free_callback_cls", http.makeResponse) &&
        findFunction(handle, "MHD_add_response_header", http.addHeader) &&
        findFunction(handle, "MHD_queue_response", http.queue) &&
        findFunction(handle, "MHD_destroy_response", http.destroyResponse) &&
        findFunction(handle, "MHD_is_feature_supported", http.isSupported);
    if (!whole) loaded.problem = "it is older than 0.9.74";
    return loaded;
}

} // namespace

Result<const MicrohttpdLibrary*> MicrohttpdLibrary::load() {
    static const LoadedMicrohttpd loaded = loadMicrohttpd();
    if (!loaded.problem.empty())
        return environmentError("libmicrohttpd is needed to serve: " + loaded.problem, {},
                                "apt install libmicrohttpd12, from Debian 13 on libmicrohttpd12t64");
    return &loaded.library;
}

} // namespace trainyard::serve
