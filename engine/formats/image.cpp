// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/image.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/printable.h"
#include "engine/formats/decoders.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace trainyard::formats {

namespace {

constexpr std::size_t kMaxFile = 256u << 20;

// For each place of the new side: the first old place it covers, and the weights of it and those after it.
struct Tap {
    int first = 0;
    std::vector<float> weights;
};

std::vector<Tap> tapsOf(double from, double length, int limit, int count) {
    const double scale = length / count, reach = std::max(scale, 1.0);
    std::vector<Tap> taps(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        Tap& tap = taps[static_cast<std::size_t>(i)];
        const double centre = from + (i + 0.5) * scale;
        tap.first = std::clamp(static_cast<int>(std::floor(centre - reach)), 0, limit - 1);
        const int last = std::clamp(static_cast<int>(std::ceil(centre + reach)), tap.first + 1, limit);
        double sum = 0;
        for (int k = tap.first; k < last; ++k) {
            const double weight = std::max(0.0, 1.0 - std::abs((k + 0.5 - centre) / reach));
            tap.weights.push_back(static_cast<float>(weight));
            sum += weight;
        }
        if (sum <= 0) tap.weights.front() = 1, sum = 1;
        for (float& weight : tap.weights) weight = static_cast<float>(static_cast<double>(weight) / sum);
    }
    return taps;
}

// Columns first, into floats; then rows.
std::vector<float> squeezeColumns(const Image& image, const std::vector<Tap>& taps) {
    const auto channels = static_cast<std::size_t>(image.channels), width = taps.size();
    std::vector<float> out(width * static_cast<std::size_t>(image.height) * channels);
    for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
        const std::uint8_t* row = image.pixels.data() + y * static_cast<std::size_t>(image.width) * channels;
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t c = 0; c < channels; ++c) {
                const std::uint8_t* at = row + static_cast<std::size_t>(taps[x].first) * channels + c;
                float sum = 0;
                for (const float weight : taps[x].weights) {
                    sum += weight * static_cast<float>(*at);
                    at += channels;
                }
                out[(y * width + x) * channels + c] = sum;
            }
    }
    return out;
}

Error named(Error error, const std::string& name) {
    error.where = name;
    if (error.kind == ErrorKind::Input && error.remedy.empty()) error.remedy = "remove the image or replace it";
    return error;
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

Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const std::string& name) {
    const auto begins = [&](const char* magic, std::size_t size) {
        return bytes.size() >= size && std::memcmp(bytes.data(), magic, size) == 0;
    };
    if (bytes.empty()) return named(inputError("is empty"), name);
    const bool png = begins("\x89PNG\r\n\x1a\n", 8);
    if (!png && !begins("\xFF\xD8\xFF", 3)) return named(inputError("is neither a PNG nor a JPEG image"), name);
    auto image = png ? decodePng(bytes) : decodeJpeg(bytes);
    if (!image) return named(std::move(image).error(), name);
    return image;
}

Result<Image> readImage(const std::filesystem::path& file) {
    const std::string name = printable(file.string(), 4096);
    auto bytes = readFile(file, kMaxFile);
    if (!bytes) {
        Error error = std::move(bytes).error();
        if (error.kind == ErrorKind::Input && error.code != ErrorCode::FileMissing)
            error.remedy.clear(); // an image's own suits better
        return named(std::move(error), name);
    }
    return decodeImage({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()}, name);
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
    double left = 0, top = 0, across = image.width, down = image.height;
    if (crop) {
        const double ratio = static_cast<double>(width) / height;
        across = std::min(across, down * ratio);
        down = std::min(down, across / ratio);
        left = (image.width - across) / 2;
        top = (image.height - down) / 2;
    }
    const auto columns = tapsOf(left, across, image.width, width), rows = tapsOf(top, down, image.height, height);
    const std::vector<float> narrow = squeezeColumns(image, columns);
    Image out{width, height, image.channels, {}};
    const std::size_t stride = static_cast<std::size_t>(width) * static_cast<std::size_t>(image.channels);
    out.pixels.resize(stride * static_cast<std::size_t>(height));
    std::vector<float> sums(stride);
    for (std::size_t y = 0; y < rows.size(); ++y) {
        std::fill(sums.begin(), sums.end(), 0.0f);
        const float* row = narrow.data() + static_cast<std::size_t>(rows[y].first) * stride;
        for (const float weight : rows[y].weights) {
            for (std::size_t i = 0; i < stride; ++i) sums[i] += weight * row[i];
            row += stride;
        }
        for (std::size_t i = 0; i < stride; ++i)
            out.pixels[y * stride + i] = static_cast<std::uint8_t>(std::clamp(sums[i], 0.0f, 255.0f) + 0.5f);
    }
    return out;
}

} // namespace trainyard::formats
