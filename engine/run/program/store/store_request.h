// SPDX-License-Identifier: GPL-3.0-or-later
// What PyTorch's TCPStore asks over a connection, in both of its dialects: 1.x, and 2.x, which begins with a greeting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

// What one request may be; ranks exchange addresses and small values.
inline constexpr std::size_t kMostStoreText = 16u << 20, kMostStoreTexts = 1u << 14, kMostStoreRequest = 32u << 20;

struct StoreRequest {
    enum class Kind {
        Greeting,   // of 2.x
        Set,        // texts: key, value
        CompareSet, // texts: key, expected, desired
        Get,        // texts: key
        Add,        // texts: key
        Check,      // texts: keys
        Wait,       // texts: keys
        Count,      // of keys
        Delete,     // texts: key
        Append,     // texts: key, value
        MultiGet,   // texts: keys
        MultiSet,   // texts: key, value, key, value, …
        CancelWait,
        Ping, // number: to be given back
    };
    Kind kind = Kind::Greeting;
    std::vector<std::string> texts{};
    std::int64_t number = 0; // of Add and Ping
};

// Reads the requests of one connection. Total: whatever the bytes are.
class StoreRequestReader {
public:
    enum class Outcome { Request, Incomplete, Bad };
    // Takes the first request off `bytes`; leaves them alone unless it is whole. Bad: no request that is known, or one
    // beyond the limits; the connection cannot go on.
    Outcome take(std::string_view& bytes, StoreRequest& request);

private:
    enum class Dialect { Unknown, Old, New };
    Dialect m_dialect = Dialect::Unknown;
};

} // namespace trainyard::run
