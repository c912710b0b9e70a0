// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace trainyard::train {

// How a text becomes tokens, besides their names: what a model that was trained on texts must know to read others.
struct TokenLayout {
    enum class Kind {
        Characters, // the names are the texts
        Bytes       // the names are of byte-level BPE (formats::BpeTable)
    };
    Kind kind = Kind::Characters;
    std::vector<std::int64_t> merges{};  // left, right and joined token of each, in their order
    std::int64_t end = -1;               // the token between documents; -1: none
    std::vector<std::int64_t> special{}; // tokens that stand for no text
};

} // namespace trainyard::train
