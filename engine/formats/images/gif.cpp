// SPDX-License-Identifier: GPL-3.0-or-later
// The first frame of a GIF (87a and 89a) on its canvas. What the frame does not cover, and what is transparent, has the
// colour of the index in it, or black.
#include "engine/formats/images/byte_reader.h"
#include "engine/formats/images/decoders.h"

#include <algorithm>
#include <array>

namespace trainyard::formats {

namespace {

constexpr std::size_t kHeader = 13, kFrameHeader = 10;
constexpr int kMaxCodes = 4096;

struct Palette {
    std::array<std::uint8_t, 768> levels{};
    std::size_t colours = 0;
    bool grey() const {
        for (std::size_t i = 0; i < 3 * colours; i += 3)
            if (levels[i] != levels[i + 1] || levels[i] != levels[i + 2]) return false;
        return true;
    }
};

struct Frame {
    int left = 0, top = 0, width = 0, height = 0;
    bool interlaced = false;
    Palette palette;
    std::size_t data = 0; // where its codes begin
};

Error endsTooSoon() { return inputError("the GIF data ends too soon"); }

// Behind the blocks that begin at `at`, each with its length before it; or past the end.
std::size_t afterBlocks(std::span<const std::uint8_t> bytes, std::size_t at) {
    while (at < bytes.size() && bytes[at] != 0) at += bytes[at] + std::size_t{1};
    return at + 1;
}

Result<Palette> paletteAt(std::span<const std::uint8_t> bytes, std::size_t& at, std::uint8_t flags) {
    Palette palette;
    palette.colours = std::size_t{2} << (flags & 7);
    if (at > bytes.size() || bytes.size() - at < 3 * palette.colours) return endsTooSoon();
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), 3 * palette.colours, palette.levels.begin());
    at += 3 * palette.colours;
    return palette;
}

// Codes of 3 to 12 bits, out of blocks.
class Codes {
public:
    Codes(std::span<const std::uint8_t> bytes, std::size_t at) : m_bytes(bytes), m_at(at) {}
    // -1 at the end.
    int next(int bits) {
        while (m_held < bits) {
            if (m_block == 0) {
                if (m_at >= m_bytes.size() || m_bytes[m_at] == 0) return -1;
                m_block = m_bytes[m_at++];
            }
            if (m_at >= m_bytes.size()) return -1;
            m_bits |= std::uint32_t{m_bytes[m_at++]} << m_held;
            m_held += 8;
            --m_block;
        }
        const int code = static_cast<int>(m_bits & ((1u << bits) - 1));
        m_bits >>= bits;
        m_held -= bits;
        return code;
    }

private:
    std::span<const std::uint8_t> m_bytes;
    std::size_t m_at;
    int m_block = 0, m_held = 0;
    std::uint32_t m_bits = 0;
};

// What a code stands for: that of another, and one more.
struct Dictionary {
    std::array<std::int16_t, kMaxCodes> before{};
    std::array<std::uint8_t, kMaxCodes> last{};
    std::array<std::uint8_t, kMaxCodes> word{}; // of one code, backwards

    // Its length; the word stands reversed at the beginning of `word`.
    int spell(int code, int roots) {
        int length = 0;
        for (; code >= roots && length < kMaxCodes - 1; code = before[static_cast<std::size_t>(code)])
            word[static_cast<std::size_t>(length++)] = last[static_cast<std::size_t>(code)];
        word[static_cast<std::size_t>(length++)] = static_cast<std::uint8_t>(code);
        return length;
    }
};

// Calls `put` with each index in its order until it says that it has enough.
template <class Put>
Result<void> unpack(std::span<const std::uint8_t> bytes, std::size_t at, Put put) {
    if (at >= bytes.size()) return endsTooSoon();
    const int least = bytes[at];
    if (least < 1 || least > 11)
        return inputError("the GIF data is damaged: codes of " + std::to_string(least) + " bits");
    const int clear = 1 << least, end = clear + 1;
    Codes codes(bytes, at + 1);
    Dictionary dictionary;
    int bits = least + 1, next = end + 1, previous = -1;
    std::uint8_t firstOfPrevious = 0;
    for (;;) {
        const int code = codes.next(bits);
        if (code < 0 || code == end) return endsTooSoon(); // it has not had enough
        if (code == clear) {
            bits = least + 1, next = end + 1, previous = -1;
            continue;
        }
        if (code > next || (code == next && previous < 0) || (code >= clear && previous < 0))
            return inputError("the GIF data is damaged: a code that stands for nothing");
        int length = dictionary.spell(code == next ? previous : code, clear);
        const std::uint8_t first = dictionary.word[static_cast<std::size_t>(length - 1)];
        for (int i = length - 1; i >= 0; --i)
            if (!put(dictionary.word[static_cast<std::size_t>(i)])) return {};
        if (code == next && !put(firstOfPrevious)) return {};
        if (previous >= 0 && next < kMaxCodes) {
            dictionary.before[static_cast<std::size_t>(next)] = static_cast<std::int16_t>(previous);
            dictionary.last[static_cast<std::size_t>(next)] = first;
            if (++next == 1 << bits && bits < 12) ++bits;
        }
        previous = code;
        firstOfPrevious = first;
    }
}

Result<Frame> firstFrame(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < kHeader) return endsTooSoon();
    std::size_t at = kHeader;
    Frame frame;
    if ((bytes[10] & 0x80) != 0) { TY_ASSIGN(frame.palette, paletteAt(bytes, at, bytes[10])); }
    while (at < bytes.size() && bytes[at] == 0x21) at = afterBlocks(bytes, at + 2);
    if (at >= bytes.size() || bytes.size() - at < kFrameHeader) return endsTooSoon();
    if (bytes[at] != 0x2C) return inputError("is a GIF without an image");
    const LittleBytes numbers{bytes};
    frame.left = static_cast<int>(numbers.two(at + 1));
    frame.top = static_cast<int>(numbers.two(at + 3));
    frame.width = static_cast<int>(numbers.two(at + 5));
    frame.height = static_cast<int>(numbers.two(at + 7));
    const std::uint8_t flags = bytes[at + 9];
    frame.interlaced = (flags & 0x40) != 0;
    at += kFrameHeader;
    if ((flags & 0x80) != 0) { TY_ASSIGN(frame.palette, paletteAt(bytes, at, flags)); }
    if (frame.palette.colours == 0) return inputError("is a GIF without colours");
    frame.data = at;
    return frame;
}

// Every eighth row, those in the middle of them, …: the order of an interlaced frame.
int nextRow(int y, int height, int& pass) {
    static constexpr std::array<int, 4> kStep{8, 8, 4, 2}, kFirst{0, 4, 2, 1};
    y += kStep[static_cast<std::size_t>(pass)];
    while (y >= height && pass < 3) y = kFirst[static_cast<std::size_t>(++pass)];
    return y;
}

} // namespace

Result<void> decodeGif(std::span<const std::uint8_t> bytes, const ChooseWindow& choose, Decoded& into) {
    TY_ASSIGN(const Frame frame, firstFrame(bytes));
    const LittleBytes numbers{bytes};
    const int width = std::max(static_cast<int>(numbers.two(6)), frame.left + frame.width);
    const int height = std::max(static_cast<int>(numbers.two(8)), frame.top + frame.height);
    TY_TRY(checkImageSize(width, height));
    TY_TRY(checkImageSize(frame.width, frame.height));
    const int channels = frame.palette.grey() ? 1 : 3;
    beginWhole({width, height, 1}, channels, choose, into);
    std::fill(into.image.pixels.begin(), into.image.pixels.end(), std::uint8_t{0});
    int x = 0, y = 0, pass = 0;
    return unpack(bytes, frame.data, [&](std::uint8_t index) {
        const std::size_t place = static_cast<std::size_t>(frame.top + y) * static_cast<std::size_t>(width) +
                                  static_cast<std::size_t>(frame.left + x);
        std::copy_n(frame.palette.levels.data() + std::size_t{3} * index, channels,
                    into.image.pixels.data() + place * static_cast<std::size_t>(channels));
        if (++x < frame.width) return true;
        x = 0;
        y = frame.interlaced ? nextRow(y, frame.height, pass) : y + 1;
        return y < frame.height;
    });
}

} // namespace trainyard::formats
