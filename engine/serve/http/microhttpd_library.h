// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <microhttpd.h>

namespace trainyard::serve {

// The functions of libmicrohttpd that are used, from the library found at run time.
struct MicrohttpdLibrary {
    MHD_Daemon* (*start)(unsigned int, std::uint16_t, MHD_AcceptPolicyCallback, void*, MHD_AccessHandlerCallback, void*,
                         ...) = nullptr;
    decltype(&MHD_stop_daemon) stop = nullptr;
    decltype(&MHD_run) run = nullptr;
    decltype(&MHD_get_timeout) timeout = nullptr;
    decltype(&MHD_add_connection) addConnection = nullptr;
    const MHD_DaemonInfo* (*daemonInfo)(MHD_Daemon*, MHD_DaemonInfoType, ...) = nullptr;
    const MHD_ConnectionInfo* (*connectionInfo)(MHD_Connection*, MHD_ConnectionInfoType, ...) = nullptr;
    decltype(&MHD_get_connection_values_n) values = nullptr;
    decltype(&MHD_suspend_connection) suspend = nullptr;
    decltype(&MHD_resume_connection) resume = nullptr;
    decltype(&MHD_create_response_from_buffer_with_free_callback_cls) makeResponse = nullptr;
    decltype(&MHD_add_response_header) addHeader = nullptr;
    decltype(&MHD_queue_response) queue = nullptr;
    decltype(&MHD_destroy_response) destroyResponse = nullptr;
    decltype(&MHD_is_feature_supported) isSupported = nullptr;

    // Loaded once for the whole process. Environment: libmicrohttpd.so.12 is not there, or older than 0.9.74.
    static Result<const MicrohttpdLibrary*> load();
};

} // namespace trainyard::serve
