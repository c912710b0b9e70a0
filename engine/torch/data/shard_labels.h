// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures in archives with their classes beside them, as WebDataset has them: KEY.jpg with KEY.cls or KEY.json.
#pragma once

#include "engine/torch/data/image_listing.h"

namespace trainyard::formats {
class Pack;
}

namespace trainyard::data {

// The parts, by the names of the archives: one with "val" or "test" between its punctuation is that part, all others
// are for training. A label is a number, or a word; of JSON it is the member label, class and the like. Numbers count
// the lines of classes.txt beside the archives, where there is such a file; else they are the names themselves. The
// pictures stay in the order of the archives. Input: a label cannot be read, a part has a class that is not trained on.
Result<ImageParts> listShards(const formats::Pack& pack);

} // namespace trainyard::data
