// SPDX-License-Identifier: GPL-3.0-or-later
// A file of a framework, read while it grows.
#pragma once

#include "engine/imports/source_stream.h"
#include "engine/program/metrics/framework_form.h"
#include "engine/program/metrics/grown_file.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace trainyard::program {

// What a source tells, in its order.
struct FrameworkTold {
    std::function<void(const std::string& series, const imports::Point& point)> point;
    std::function<void(std::int64_t step)> beginsAgain; // a session: its points from this step on are void
};

// Tells points that were told before from those that are new, where a file is written anew: Lightning does so when a
// column comes, Hugging Face with each checkpoint. A value; holds two numbers for each series.
class ToldPoints {
public:
    // Whether the point is to be told. While the file is read again: whether it comes behind all that was told.
    bool add(const std::string& series, const imports::Point& point);
    // The file is read from its beginning again.
    void readAgain();
    // Of a file that is read again: whether all that was told has come, has not come yet, or cannot come any more.
    enum class Again { Same, Unfinished, Other };
    Again again() const;
    bool isReading() const { return m_again; }
    void settle() { m_again = false; } // what comes from now on is new
    void forget() { *this = {}; }

private:
    struct Series {
        std::int64_t count = 0;
        std::uint64_t hash = 0;
    };
    static void mix(Series& series, const imports::Point& point);

    std::map<std::string, Series> m_told{}, m_read{};
    bool m_again = false, m_differs = false;
};

// One such file. What stood in it before the program began, its first `oldBytes`, is read and not told.
class FollowedFile {
public:
    FollowedFile(std::filesystem::path path, FrameworkForm form, std::string prefix, std::int64_t oldBytes);

    // Tells what has come. A file that is written anew is read again, and what stays the same is not told twice. An
    // error is told once and ends it: Input where it is not of its form.
    Result<void> look(const FrameworkTold& told);
    // The program has ended: half a line is one, and a document has to be whole.
    Result<void> end(const FrameworkTold& told);

    // A document whose content goes on in another file: trainer_state.json in the folder of the next checkpoint.
    void goesOnIn(std::filesystem::path path) { m_file = GrownFile(std::move(path)); }

    FrameworkForm form() const { return m_form; }
    const std::filesystem::path& path() const { return m_file.path(); }
    std::int64_t skipped() const { return m_skipped + (m_reading ? m_reading->run.skippedCount : 0); }

private:
    struct Reading {
        imports::ImportedRun run{};
        std::unique_ptr<imports::SourceStream> stream{};
    };

    void begin();
    Result<void> feed(std::string_view bytes);
    Result<void> readDocument();
    Result<void> readOn();
    Result<void> settle();
    void tell(const std::string& series, const imports::Point& point);

    FrameworkForm m_form;
    std::string m_prefix;
    GrownFile m_file;
    std::int64_t m_oldBytes, m_read = 0; // of the file as it is now
    std::unique_ptr<Reading> m_reading{};
    ToldPoints m_points{};
    std::vector<SeriesPoint> m_held{};     // of a file that is read again, until it turns out to be the same
    const FrameworkTold* m_told = nullptr; // during a look
    FileState m_seen{};                    // of a document
    std::int64_t m_seenTime = 0, m_skipped = 0;
    int m_patience = 0; // looks that a file that is written anew is waited for
    bool m_isMuted = false, m_hasFailed = false;
};

} // namespace trainyard::program
