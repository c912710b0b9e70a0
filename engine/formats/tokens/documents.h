// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::formats {

// Files of documents. A file of JSON lines holds a document a line, each other one is a document.
struct DocumentFiles {
    std::vector<std::filesystem::path> files{};
    std::size_t passedOver = 0; // of the folder, by their names
    std::uintmax_t bytes = 0;   // of the files, as they are stored
    bool several() const;       // more documents than one, as far as the files tell
};

// The texts in a folder and those below it, by name: .txt, .text, .md, .jsonl and .ndjson, each also with .gz. Hidden
// ones and links to folders are passed over. Input: there are none. Environment: the folder cannot be read.
Result<DocumentFiles> documentsBelow(const std::filesystem::path& folder);
// A single file.
Result<DocumentFiles> oneDocumentFile(const std::filesystem::path& file);

// A part of a document, which the next one continues unless it is the last. A text is cut only where no piece is
// (lastSafeCut()), so that parts may be encoded apart.
struct DocumentPart {
    std::string_view text;
    bool isLast = false;
    std::string_view file; // and where in it the text begins; 0 of a JSON line
    std::uint64_t offset = 0;
};

// Every document, in order, part by part; a byte order mark is passed over. `field`: the member of a JSON line that
// holds the text. Never more than a part is in memory, which is 4 MiB, or up to 64 MiB where there is no place to cut.
// Input, with file and place: UTF-16, NUL and what is not UTF-8, unless `anyBytes`; a line without the member, no
// place to cut, nothing at all. Environment: a file cannot be read.
Result<void> eachDocument(const DocumentFiles& documents, const std::string& field, bool anyBytes,
                          const std::function<Result<void>(const DocumentPart&)>& take);

} // namespace trainyard::formats
