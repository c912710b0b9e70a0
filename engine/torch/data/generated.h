// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

namespace trainyard::data {

// Data sets that need no file.
DatasetEntry glyphsEntry();    // 28 x 28 pictures of ten drawn shapes
DatasetEntry spiralsEntry();   // points of the plane on interleaved spiral arms
DatasetEntry blobsEntry();     // clouds of points in any number of dimensions, one a class
DatasetEntry wavesEntry();     // regression: sums of sines of the features
DatasetEntry sentencesEntry(); // language: sentences of a small grammar, character by character

} // namespace trainyard::data
