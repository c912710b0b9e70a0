// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/images/image.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/printable.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/images/image_region.h"

#include <algorithm>
#include <cstring>

namespace trainyard::formats {

namespace {

constexpr std::size_t kMaxFile = 256u << 20;

Error named(Error error, const std::string& name) {
    error.where = name;
    if (error.kind == ErrorKind::Input && error.remedy.empty()) error.remedy = "remove the image or replace it";
    return error;
}

// None: the file is in no pack.
std::optional<Result<std::string>> readPacked(const std::filesystem::path& file) {
    auto found = packedFile(file);
    if (!found) return std::move(found).error();
    if (!*found) return std::nullopt;
    const auto& [pack, number] = **found;
    if (pack->index().file(number).bytes > kMaxFile)
        return inputError("has more than " + std::to_string(kMaxFile >> 20) + " MB");
    return pack->read(number);
}

// What stands under an image's name, where it can be told.
std::string whatElse(std::span<const std::uint8_t> bytes) {
    std::string begin(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 512));
    std::transform(begin.begin(), begin.end(), begin.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto text = begin.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (text != std::string::npos && (begin.compare(text, 5, "<html") == 0 || begin.compare(text, 9, "<!doctype") == 0))
        return "is a web page, not an image";
    if (begin.starts_with("version https://git-lfs")) return "is a pointer of Git LFS, not the image itself";
    return "is no image of a kind that is read (PNG, JPEG, WebP, TIFF, BMP, GIF)";
}

} // namespace

Result<void> checkImageSize(std::int64_t width, std::int64_t height) {
    if (width > 0 && height > 0 && width <= kMaxImageSide && height <= kMaxImageSide &&
        width * height <= kMaxImagePixels)
        return {};
    return inputError("is " + std::to_string(width) + " x " + std::to_string(height) + " pixels; sides up to " +
                          std::to_string(kMaxImageSide) + " and " + std::to_string(kMaxImagePixels >> 20) +
                          " million pixels are read",
                      {}, "make the image smaller");
}

void beginWindow(const Window& window, int channels, Decoded& into) {
    into.window = window;
    Image& image = into.image;
    image.width = window.width;
    image.height = window.height;
    image.channels = channels;
    image.pixels.resize(static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height) *
                        static_cast<std::size_t>(channels));
}

void beginWhole(const StoredHeader& header, int channels, const ChooseWindow& choose, Decoded& into) {
    into.header = header;
    into.fullWidth = header.width;
    into.fullHeight = header.height;
    into.image.recovered = false;
    choose(header);
    beginWindow({0, 0, header.width, header.height, 1}, channels, into);
}

ImageKind imageKindOf(std::span<const std::uint8_t> bytes) {
    const auto has = [&](std::size_t at, std::string_view magic) {
        return bytes.size() >= at + magic.size() && std::memcmp(bytes.data() + at, magic.data(), magic.size()) == 0;
    };
    if (has(0, "\x89PNG\r\n\x1a\n")) return ImageKind::Png;
    if (has(0, "\xFF\xD8\xFF")) return ImageKind::Jpeg;
    if (has(0, "RIFF") && has(8, "WEBP")) return ImageKind::Webp;
    if (has(0, {"II*\0", 4}) || has(0, {"MM\0*", 4})) return ImageKind::Tiff;
    if (has(0, "GIF87a") || has(0, "GIF89a")) return ImageKind::Gif;
    return has(0, "BM") && bytes.size() >= 26 && bytes[14] >= 12 && bytes[15] == 0 ? ImageKind::Bmp : ImageKind::None;
}

Result<void> decodeWindow(std::span<const std::uint8_t> bytes, const std::string& name, const ChooseWindow& choose,
                          Decoded& into) {
    if (bytes.empty()) return named(inputError("is empty"), name);
    Decode* decode = nullptr;
    switch (imageKindOf(bytes)) {
    case ImageKind::Png: decode = decodePng; break;
    case ImageKind::Jpeg: decode = decodeJpeg; break;
    case ImageKind::Webp: decode = decodeWebp; break;
    case ImageKind::Tiff: decode = decodeTiff; break;
    case ImageKind::Bmp: decode = decodeBmp; break;
    case ImageKind::Gif: decode = decodeGif; break;
    case ImageKind::None: return named(inputError(whatElse(bytes)), name);
    }
    if (auto done = decode(bytes, choose, into); !done) return named(std::move(done).error(), name);
    return {};
}

Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const std::string& name) {
    Decoded decoded;
    const auto whole = [](const StoredHeader& header) { return Window{0, 0, header.width, header.height, 1}; };
    TY_TRY(decodeWindow(bytes, name, whole, decoded));
    return upright(std::move(decoded.image), decoded.header.orientation);
}

Result<std::string> readImageFile(const std::filesystem::path& file) {
    auto bytes = readFile(file, kMaxFile);
    if (bytes) return bytes;
    if (bytes.error().code == ErrorCode::FileMissing)
        if (auto packed = readPacked(file)) {
            if (*packed) return std::move(*packed);
            return named(std::move(*packed).error(), printable(file.string(), 4096));
        }
    Error error = std::move(bytes).error();
    std::error_code problem;
    if (error.code == ErrorCode::FileMissing && std::filesystem::is_symlink(file, problem))
        error = inputError("is a link that leads nowhere").withCode(ErrorCode::FileMissing);
    else if (error.kind == ErrorKind::Input && error.code != ErrorCode::FileMissing)
        error.remedy.clear(); // an image's own suits better
    return named(std::move(error), printable(file.string(), 4096));
}

Result<Image> readImage(const std::filesystem::path& file) {
    TY_ASSIGN(const std::string bytes, readImageFile(file));
    return decodeImage({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                       printable(file.string(), 4096));
}

Image withChannels(const Image& image, int channels) {
    if (image.channels == channels) return image;
    Image out{image.width, image.height, channels, {}};
    const std::size_t pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    out.pixels.resize(pixels * static_cast<std::size_t>(channels));
    for (std::size_t i = 0; i < pixels; ++i) {
        if (channels == 3) {
            std::fill_n(out.pixels.begin() + static_cast<std::ptrdiff_t>(3 * i), 3, image.pixels[i]);
        } else {
            const std::uint8_t* rgb = image.pixels.data() + 3 * i;
            out.pixels[i] = static_cast<std::uint8_t>((rgb[0] * 299 + rgb[1] * 587 + rgb[2] * 114 + 500) / 1000);
        }
    }
    return out;
}

Image resized(const Image& image, int width, int height, bool crop) {
    if (image.width == width && image.height == height) return image;
    const Rectangle part = middleOf(image.width, image.height, width, height, crop);
    Image out{width, height, image.channels, {}};
    out.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                      static_cast<std::size_t>(image.channels));
    Resampler().run({image.pixels.data(), 0, 0, image.width, image.height, image.channels, image.width, image.height},
                    part.left, part.top, part.width, part.height, {out.pixels.data(), width, height, image.channels});
    return out;
}

} // namespace trainyard::formats
