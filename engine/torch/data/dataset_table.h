// SPDX-License-Identifier: GPL-3.0-or-later
// The datasets that a run file can name, in the order in which they are listed. A row here and the function it names,
// in a file of this folder, are all that a new one takes.
#pragma once

#include "engine/torch/data/dataset.h"

// clang-format off
#define TRAINYARD_DATASETS(ROW)                                                    \
    ROW(fashionMnistEntry) /* four IDX files in one folder */                      \
    ROW(mnistEntry)                                                                \
    ROW(cifar10Entry)      /* the binary version */                                \
    ROW(cifar100Entry)                                                             \
    ROW(imageFolderEntry)  /* images, by folders or by a file of labels */          \
    ROW(csvEntry)          /* a table, for classification and regression */        \
    ROW(textFileEntry)     /* a text, for the next character */                    \
    ROW(glyphsEntry)       /* generated: 28 x 28 images of ten drawn shapes */     \
    ROW(spiralsEntry)      /* points of the plane on interleaved spiral arms */    \
    ROW(blobsEntry)        /* clouds of points in any number of dimensions */      \
    ROW(wavesEntry)        /* regression: sums of sines of the features */         \
    ROW(labelsEntry)       /* multi-label: points with several labels at once */    \
    ROW(sentencesEntry)    /* language: sentences of a small grammar */
// clang-format on

namespace trainyard::data {

#define TRAINYARD_DECLARE(entry) DatasetEntry entry();
TRAINYARD_DATASETS(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

} // namespace trainyard::data
