// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QtGlobal>

#include <filesystem>
#include <fstream>
#include <string>

namespace trainyard::test {

// Programs started while one of these lives have the storage shim in them (storage_shim.cpp). `calls` empty: all.
class StorageFault {
public:
    struct What {
        std::string program; // "trainyard-worker", "trainyardctl", or both
        std::string path;    // part of the files' paths
        std::string fault;   // ENOSPC, EIO, EROFS, short, kill, none
        std::string calls{}; // "write sync"
        int nth = 1, times = 1;
        bool armed = true;   // else from arm() on
        std::string log{};   // a file for all calls that count, in their order
        std::string trace{}; // a file for all changes, with what was written (storage_trace.h)
    };
    StorageFault(const What& what, std::filesystem::path folder)
        : m_arm(folder / "shim.arm"), m_hit(folder / "shim.hit") {
        std::filesystem::remove(m_hit);
        set("SHIM_PROGRAM", what.program);
        set("SHIM_PATH", what.path);
        set("SHIM_FAULT", what.fault);
        set("SHIM_CALLS", what.calls);
        set("SHIM_NTH", std::to_string(what.nth));
        set("SHIM_TIMES", std::to_string(what.times));
        set("SHIM_ARM", m_arm.string());
        set("SHIM_HIT", m_hit.string());
        set("SHIM_LOG", what.log);
        set("SHIM_TRACE", what.trace);
        if (what.armed) arm();
        else disarm();
        set("LD_PRELOAD", STORAGE_SHIM);
    }
    ~StorageFault() { qunsetenv("LD_PRELOAD"); }
    StorageFault(const StorageFault&) = delete;
    StorageFault& operator=(const StorageFault&) = delete;

    void arm() { std::ofstream(m_arm) << "on"; }
    void disarm() { std::filesystem::remove(m_arm); }
    bool wasHit() const { return std::filesystem::exists(m_hit); }

    // Null where there can be one; else why not.
    static const char* cannotBe() {
#ifdef __SANITIZE_ADDRESS__
        return "a preloaded library cannot be in front of AddressSanitizer's";
#else
        return nullptr;
#endif
    }

private:
    static void set(const char* name, const std::string& value) { qputenv(name, QByteArray::fromStdString(value)); }
    std::filesystem::path m_arm, m_hit;
};

} // namespace trainyard::test
