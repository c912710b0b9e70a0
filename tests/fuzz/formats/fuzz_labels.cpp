// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/labels/label_file.h"
#include "engine/formats/labels/label_readers.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

using namespace trainyard::formats;

// The first byte says which format, the second what the labels are for.
TRAINYARD_FUZZ_TARGET(data, size) {
    if (size < 2) return 0;
    static const char* const kNames[] = {"l.csv", "l.tsv", "l.jsonl", "l.txt", "l.json", "l.xml"};
    const std::string name = kNames[data[0] % 6];
    const LabelOptions options{.use = static_cast<LabelUse>(data[1] % 3), .group = data[1] >= 128 ? "g" : ""};
    const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
    if (name == "l.xml") {
        LabelTable table;
        const auto added = addVocLabels(text, name, table);
        require(added.ok() == (table.rows.size() == 1), "a row, or an error");
        return 0;
    }
    const auto table = labelsOf(text, name, options);
    if (!table.ok()) {
        require(!table.error().message.empty() && !table.error().remedy.empty(), "an error has a message and a remedy");
        return 0;
    }
    require(!table->rows.empty(), "there are rows");
    for (const PictureLabel& row : table->rows) {
        require(!row.file.empty(), "a row has a file");
        require(options.group.empty() || !row.group.empty(), "a row has a group");
        require(row.numbers.size() == table->columns.size(), "a number for each column");
        require(options.use != LabelUse::Class || name == "l.json" || row.words.size() == 1, "one class");
    }
    return 0;
}
