// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes as what two ranks send to the store, by turns.
#include "engine/run/program/store/store_values.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <array>

using namespace trainyard::run;

TRAINYARD_FUZZ_TARGET(data, size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    struct Rank {
        StoreRequestReader reader{};
        std::string in{};
        bool isOpen = true;
    };
    std::array<Rank, 2> ranks;
    StoreValues values;
    for (std::size_t at = 0; at < size; at += 11) {
        for (int i = 0; i < 2; ++i) {
            auto& rank = ranks[static_cast<std::size_t>(i)];
            if (!rank.isOpen) continue;
            rank.in += bytes.substr(at, 11);
            std::string_view left = rank.in;
            for (StoreRequest request;;) {
                const auto before = left.size();
                const auto outcome = rank.reader.take(left, request);
                if (outcome == StoreRequestReader::Outcome::Request) {
                    require(left.size() < before, "a request takes bytes");
                    require(request.texts.size() <= 2 * kMostStoreTexts, "its texts are bounded");
                    const auto answers = values.apply(i, request);
                    if (answers) {
                        for (const auto& answer : *answers)
                            require(answer.to == 0 || answer.to == 1, "it is for a rank");
                        continue;
                    }
                } else if (outcome == StoreRequestReader::Outcome::Incomplete) {
                    require(left.size() == before, "what is not whole is left alone");
                    break;
                }
                rank.isOpen = false;
                values.forget(i);
                require(!values.waits(i), "who is gone does not wait");
                break;
            }
            rank.in.erase(0, rank.in.size() - left.size());
        }
    }
    return 0;
}
