// SPDX-License-Identifier: GPL-3.0-or-later
// TensorBoard's event files: records of a length, a masked CRC-32C of it, a protocol buffer and a masked CRC-32C of
// that (tensorflow/core/lib/io/record_writer.cc); each protocol buffer an Event (tensorflow/core/util/event.proto).
#pragma once

#include "engine/base/result.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <string>

namespace trainyard::store {

// Whole records, to be written one after another. Times are seconds since 1970.
std::string eventFileHeader(double wallSeconds); // the first record of a file
std::string scalarEvent(const std::string& tag, std::int64_t step, double wallSeconds, double value);
// Makes readers forget the points of this step and later ones, which are about to be repeated.
std::string restartEvent(std::int64_t step, double wallSeconds);

// "events.out.tfevents.1763640000.NAME": readers know the file by the beginning, and read a folder's in this order.
std::string eventFileName(std::int64_t wallMs, const std::string& name);

// The points of a run as one file of that name in `folder`, which is made; `startMs` is when its training began.
// Returns the file. Environment when it cannot be written.
Result<std::filesystem::path> writeEventFile(const std::filesystem::path& folder, const std::string& run,
                                             std::int64_t startMs,
                                             const std::map<std::string, std::vector<wire::Point>>& series);

} // namespace trainyard::store
