// SPDX-License-Identifier: GPL-3.0-or-later
// The listing of a set of pictures, kept for ranks that join a run after pictures have been deleted or added.
#pragma once

#include "engine/torch/data/image_listing.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::data {

// What a run trains on, as it was listed when it began.
struct KeptListing {
    ImageParts parts; // without notes, and without what was named as no picture
    // Of all files, one part after another: what the file system told of them, and whether they could be read then.
    std::vector<formats::FileFacts> facts;
    std::vector<bool> leftOut;
};

// Which one: of the set's folder, by Dataset::digest.
struct ListingKey {
    std::filesystem::path folder;
    std::string digest;
};

// Keeps one (KeptListing has its parts) in `~/.cache/trainyard/listings`, unless it is there; the oldest ones go. Where
// nothing can be kept nothing is: a rank that joins then has the pictures that are there.
void keepListing(const ListingKey& key, const ImageParts& parts, const std::vector<formats::FileFacts>& facts,
                 const std::vector<bool>& leftOut);
// None: there is none, or it is damaged.
std::optional<KeptListing> keptListing(const ListingKey& key);

} // namespace trainyard::data
