// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/about_libraries.h"

#include <QCoreApplication>

namespace trainyard::ui {

QString libraryUse(const Library& library) { return QCoreApplication::translate("Libraries", library.use); }

const std::vector<Library>& libraries() {
    static const std::vector<Library> all{
        {"Qt", "LGPL-3.0-only", QT_TRANSLATE_NOOP("Libraries", "the window"), {"Qt6"}, {"libQt6"}},
        {"QCustomPlot",
         "GPL-3.0-or-later",
         QT_TRANSLATE_NOOP("Libraries", "charts"),
         {"QCustomPlotQt6"},
         {"libQCustomPlot", "libqcustomplot"}},
        {"LibTorch",
         "BSD-3-Clause",
         QT_TRANSLATE_NOOP("Libraries", "training, in the worker"),
         {"Torch"},
         {"libtorch", "libc10"}},
        {"Gloo", "BSD-3-Clause", QT_TRANSLATE_NOOP("Libraries", "communication, in LibTorch"), {}, {"libgloo"}},
        {"oneDNN", "Apache-2.0", QT_TRANSLATE_NOOP("Libraries", "matrix products"), {"dnnl"}, {"libdnnl"}},
        {"SQLite",
         "blessing (public domain)",
         QT_TRANSLATE_NOOP("Libraries", "database of runs"),
         {"SQLite3"},
         {"libsqlite3"}},
        {"OpenSSL",
         "Apache-2.0",
         QT_TRANSLATE_NOOP("Libraries", "digests and host keys"),
         {"OpenSSL"},
         {"libcrypto", "libssl"}},
        {"libssh2",
         "BSD-3-Clause",
         QT_TRANSLATE_NOOP("Libraries", "hosts over SSH"),
         {"Libssh2", "libssh2"},
         {"libssh2"}},
        {"JSON for Modern C++", "MIT", QT_TRANSLATE_NOOP("Libraries", "run files"), {"nlohmann_json"}, {}},
        {"CLI11", "BSD-3-Clause", QT_TRANSLATE_NOOP("Libraries", "the terminal program's arguments"), {"CLI11"}, {}},
        {"NLopt",
         "LGPL-2.1-or-later AND MIT",
         QT_TRANSLATE_NOOP("Libraries", "Bayesian search"),
         {"NLopt"},
         {"libnlopt"}},
        {"Eigen", "MPL-2.0", QT_TRANSLATE_NOOP("Libraries", "Bayesian search"), {"Eigen3"}, {}},
        {"Boost", "BSL-1.0", QT_TRANSLATE_NOOP("Libraries", "quasi-random sequences"), {"Boost"}, {}},
        {"PCRE2", "BSD-3-Clause", QT_TRANSLATE_NOOP("Libraries", "patterns for printed metrics"), {}, {"libpcre2"}},
        {"libcurl", "curl", QT_TRANSLATE_NOOP("Libraries", "downloads of datasets"), {"CURL"}, {"libcurl"}},
        {"libpng", "libpng-2.0", QT_TRANSLATE_NOOP("Libraries", "images"), {"PNG"}, {"libpng"}},
        {"libtiff", "LIBTIFF", QT_TRANSLATE_NOOP("Libraries", "images"), {"TIFF"}, {"libtiff"}},
        {"libwebp", "BSD-3-Clause", QT_TRANSLATE_NOOP("Libraries", "images"), {}, {"libwebp"}},
        {"libjpeg-turbo", "IJG AND BSD-3-Clause", QT_TRANSLATE_NOOP("Libraries", "images"), {"JPEG"}, {"libjpeg"}},
        {"zlib", "Zlib", QT_TRANSLATE_NOOP("Libraries", "packed files"), {"ZLIB"}, {"libz.so"}},
        {"libdeflate", "MIT", QT_TRANSLATE_NOOP("Libraries", "packed files, where installed"), {}, {"libdeflate"}},
        {"CUDA driver, NVML",
         "proprietary, part of NVIDIA's driver",
         QT_TRANSLATE_NOOP("Libraries", "NVIDIA devices, where the driver is installed"),
         {},
         {"libnvidia-ml", "libcuda"}},
        {"GCC runtime",
         "GPL-3.0-or-later WITH GCC-exception-3.1",
         QT_TRANSLATE_NOOP("Libraries", "the C++ library"),
         {},
         {"libstdc++", "libgcc_s", "libgomp"}},
        {"GNU C Library",
         "LGPL-2.1-or-later",
         QT_TRANSLATE_NOOP("Libraries", "the system"),
         {"Threads"},
         {"libc.so", "libm.so", "ld-linux", "libpthread", "libdl", "librt"}}};
    return all;
}

} // namespace trainyard::ui
