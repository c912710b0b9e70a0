// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/http/http_options.h"

#include "engine/base/text/printable.h"
#include "engine/serve/values/loopback.h"

namespace trainyard::serve {

Result<void> checkHttpOptions(const HttpOptions& options, bool plaintext) {
    if (options.tls.certificateFile.empty() != options.tls.keyFile.empty())
        return inputError("TLS needs a certificate and its private key", "--certificate, --key",
                          "give both, or neither");
    if (!options.unixSocket.empty()) return {};
    if (options.port < 0 || options.port > 65535)
        return inputError(std::to_string(options.port) + " is no port", "--port",
                          "use one from 1 to 65535, or 0 for a free one");
    if (isLoopback(options.host)) return {};
    const std::string where = "--host " + printable(options.host);
    if (options.token.empty())
        return inputError("other computers could use the service without a token", where, "leave the token on");
    if (options.tls.certificateFile.empty() && !plaintext)
        return inputError("tokens and inputs would cross the network in the clear", where,
                          "add --certificate and --key for TLS, or --plaintext where the network is trusted");
    return {};
}

} // namespace trainyard::serve
