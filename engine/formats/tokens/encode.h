// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/tokens/bpe.h"
#include "engine/formats/tokens/documents.h"

namespace trainyard::formats {

// All documents as tokens, the end token of the table, where it has one, between two of them. On `threads` threads,
// with the same result as on one. Errors of eachDocument().
Result<std::vector<std::int32_t>> encodeDocuments(const DocumentFiles& documents, const std::string& field,
                                                  bool anyBytes, const Bpe& bpe, int threads);

// A table learned from the documents: BpeTrainer. Errors of eachDocument().
Result<BpeTable> trainBpe(const DocumentFiles& documents, const std::string& field, std::int32_t size);

} // namespace trainyard::formats
