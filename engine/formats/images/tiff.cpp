// SPDX-License-Identifier: GPL-3.0-or-later
// The first page of a TIFF by libtiff: whatever its RGBA interface takes. 16 bits are scaled down, alpha is dropped.
#include "engine/formats/images/decoders.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <tiffio.h>

namespace trainyard::formats {

namespace {

constexpr tmsize_t kMostAtOnce = tmsize_t{512} << 20; // that libtiff may reserve for one thing

struct Source {
    std::span<const std::uint8_t> bytes;
    std::uint64_t at = 0;
    std::string problem; // the first one

    void note(const char* format, std::va_list arguments) {
        std::array<char, 512> text{};
        std::vsnprintf(text.data(), text.size(), format, arguments);
        if (problem.empty()) problem = text.data();
    }
};

Source& of(thandle_t handle) { return *static_cast<Source*>(handle); }

tmsize_t onRead(thandle_t handle, void* to, tmsize_t size) {
    Source& source = of(handle);
    if (size <= 0 || source.at >= source.bytes.size()) return 0;
    const auto some = std::min<std::uint64_t>(static_cast<std::uint64_t>(size), source.bytes.size() - source.at);
    std::memcpy(to, source.bytes.data() + source.at, some);
    source.at += some;
    return static_cast<tmsize_t>(some);
}
tmsize_t onWrite(thandle_t, void*, tmsize_t) { return 0; }
toff_t onSeek(thandle_t handle, toff_t offset, int from) {
    Source& source = of(handle);
    source.at = from == SEEK_SET ? offset : (from == SEEK_CUR ? source.at : source.bytes.size()) + offset;
    return source.at;
}
int onClose(thandle_t) { return 0; }
toff_t onSize(thandle_t handle) { return of(handle).bytes.size(); }

int onError(TIFF*, void* user, const char*, const char* format, std::va_list arguments) {
    of(user).note(format, arguments);
    return 1;
}
int onWarning(TIFF*, void*, const char*, const char*, std::va_list) { return 1; }

using Handle = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

Handle open(Source& source) {
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                   TIFFOpenOptionsFree);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMostAtOnce);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), onError, &source);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), onWarning, &source);
    // m: not mapped
    return {TIFFClientOpenExt("image", "rm", &source, onRead, onWrite, onSeek, onClose, onSize, nullptr, nullptr,
                              options.get()),
            TIFFClose};
}

std::uint16_t number(TIFF* tiff, std::uint32_t tag, std::uint16_t otherwise) {
    std::uint16_t value = otherwise;
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

// libtiff multiplies colours by their alpha unless it is told that they are.
void keepColours(TIFF* tiff) {
    std::uint16_t count = 0;
    std::uint16_t* kinds = nullptr;
    if (TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || count == 0) return;
    const std::vector<std::uint16_t> multiplied(count, EXTRASAMPLE_ASSOCALPHA);
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, int{count}, multiplied.data());
}

// A row of the file's own pixels may not be larger than all of the image would be: tiles of 2 GB for 10 pixels.
bool plausible(TIFF* tiff, std::size_t fileSize, std::int64_t pixels) {
    const tmsize_t size = TIFFIsTiled(tiff) != 0 ? TIFFTileSize(tiff) : TIFFScanlineSize(tiff);
    return size > 0 && static_cast<std::int64_t>(size) <= 16 * std::max<std::int64_t>(pixels, 1 << 20) && fileSize > 8;
}

} // namespace

Result<void> decodeTiff(std::span<const std::uint8_t> bytes, const ChooseWindow& choose, Decoded& into) {
    Source source{.bytes = bytes, .problem = {}};
    const Handle tiff = open(source);
    const auto damaged = [&] {
        return inputError("the TIFF data cannot be read: " +
                          (source.problem.empty() ? std::string("it is damaged") : source.problem));
    };
    if (!tiff) return damaged();
    std::uint32_t width = 0, height = 0;
    TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
    TY_TRY(checkImageSize(width, height));
    if (!plausible(tiff.get(), bytes.size(), std::int64_t{width} * height)) return damaged();
    keepColours(tiff.get());
    const std::uint16_t photometric = number(tiff.get(), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    const bool grey = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
    std::array<char, 1024> why{};
    if (TIFFRGBAImageOK(tiff.get(), why.data()) == 0)
        return inputError(std::string("is a TIFF image that is not read: ") + why.data());
    const std::uint16_t orientation = number(tiff.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    // The rows come as they are stored, and are turned as those of other kinds are.
    TIFFSetField(tiff.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    const std::size_t pixels = std::size_t{width} * height;
    std::vector<std::uint32_t> rgba(pixels);
    if (TIFFReadRGBAImageOriented(tiff.get(), width, height, rgba.data(), ORIENTATION_TOPLEFT, 1) == 0)
        return damaged();
    beginWhole(
        {static_cast<int>(width), static_cast<int>(height), orientation >= 1 && orientation <= 8 ? orientation : 1},
        grey ? 1 : 3, choose, into);
    std::uint8_t* to = into.image.pixels.data();
    for (const std::uint32_t pixel : rgba) {
        *to++ = static_cast<std::uint8_t>(TIFFGetR(pixel));
        if (grey) continue;
        *to++ = static_cast<std::uint8_t>(TIFFGetG(pixel));
        *to++ = static_cast<std::uint8_t>(TIFFGetB(pixel));
    }
    return {};
}

} // namespace trainyard::formats
