// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a set of pictures: those of a listing that is made now, or of one that was kept when a run began.
#pragma once

#include "engine/torch/data/image_listing.h"
#include "engine/torch/data/pictures/kept_pictures.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::data {

inline constexpr std::int64_t kGlanced = 64; // pictures that a preview looks at

// All files of a folder's parts, one part after another.
struct AllPictures {
    PictureList files;
    std::vector<formats::FileFacts> facts; // of the files
    std::array<std::int64_t, 3> counts{};  // of training, validation, test
};
AllPictures allOf(const ImageParts& parts);

// What decides about the decoded bytes: the files at `numbers`, as the facts have them, and the form.
PackKey keyOf(const AllPictures& all, const std::vector<std::int64_t>& numbers, const PictureForm& form);
std::vector<std::int64_t> upTo(std::int64_t n); // 0, 1, ... n - 1
// Where they are kept once they are decoded; nowhere where that costs nothing.
KeptPictures::Store storeFor(const AllPictures& all);

using Reasons = std::map<std::int64_t, std::string>; // by the numbers of the files
Reasons unreadableIn(const KeptPictures* kept);      // null: none

// What a set is loaded from: its listing as it is, or as it was when a run began to train on it.
struct Listed {
    ImageParts parts;
    AllPictures all;
    Reasons leftOut{}, gone{}; // of an earlier listing: what could not be read then, and what is not as it was
    std::string digest{};      // of that; empty: it is listed now
    bool isRemembered() const { return !digest.empty(); }
};

// Decodes them all, or finds them decoded. `glance`: null where they are not, and are many. Errors as
// KeptPictures::make().
Result<std::shared_ptr<const KeptPictures>> decoded(const Listed& listed, const PictureForm& form, bool glance,
                                                    std::vector<std::string>& notes);
// What was deleted or has changed since it was listed, as far as its bytes are not kept.
Reasons goneOf(const Listed& listed, const KeptPictures* kept);
// Gives the places of what is gone to other samples, by substituteOf(): as the loader of ranks that were there has it.
void replaceGone(Split& split, const Reasons& gone, std::int64_t seed);

} // namespace trainyard::data
