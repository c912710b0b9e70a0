// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/tokens/bpe.h"
#include "engine/formats/tokens/documents.h"

#include <functional>
#include <span>

namespace trainyard::formats {

// All documents as tokens, the end token of the table, where it has one, between two of them. On `threads` threads,
// with the same result as on one. Errors of eachDocument().
Result<std::vector<std::int32_t>> encodeDocuments(const DocumentFiles& documents, const std::string& field,
                                                  bool anyBytes, const Bpe& bpe, int threads);

// The same, given away as it comes, in memory of a bounded size.
Result<void> encodeDocuments(const DocumentFiles& documents, const std::string& field, bool anyBytes, const Bpe& bpe,
                             int threads, const std::function<Result<void>(std::span<const std::int32_t>)>& take);

// A table learned from the documents: BpeTrainer. Errors of eachDocument().
Result<BpeTable> trainBpe(const DocumentFiles& documents, const std::string& field, std::int32_t size);

} // namespace trainyard::formats
