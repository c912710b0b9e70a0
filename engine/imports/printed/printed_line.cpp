// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/printed/printed_line.h"

#include "engine/imports/printed/printed_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace trainyard::imports {
namespace {

constexpr std::size_t kMostBytes = 4096, kLongestName = 64;

using Words = std::span<const std::string_view>;
constexpr std::array<std::string_view, 23> kStepWords{"training_iteration",
                                                      "env_steps",
                                                      "global_iter",
                                                      "step",
                                                      "steps",
                                                      "global_step",
                                                      "global step",
                                                      "iter",
                                                      "iters",
                                                      "iteration",
                                                      "it",
                                                      "_step",
                                                      "training step",
                                                      "total_timesteps",
                                                      "num_timesteps",
                                                      "train_step",
                                                      "batch",
                                                      "update",
                                                      "updates",
                                                      "num_updates",
                                                      "episode",
                                                      "episodes",
                                                      "round"};
constexpr std::array<std::string_view, 4> kMeanPrefixes{"average ", "avg ", "mean ", "the "};
constexpr std::array<std::string_view, 5> kEpochWords{"epoch", "epochs", "ep", "train epoch", "epoch(train)"};
constexpr std::array<std::string_view, 47> kMetricWords{
    "loss",      "acc",    "accuracy", "lr",   "learning_rate", "ppl",   "perplexity", "bleu",   "rouge",  "wer",
    "cer",       "auc",    "f1",       "map",  "rmse",          "mae",   "mse",        "reward", "return", "rew",
    "train",     "valid",  "val",      "test", "best",          "nll",   "kl",         "grad",   "gnorm",  "error",
    "precision", "recall", "iou",      "dice", "score",         "r2",    "miou",       "dsc",    "psnr",   "ssim",
    "fid",       "elbo",   "entropy",  "top1", "top5",          "auroc", "mape"};
// Counts, times and sizes: of the computer or the data, and not of what is learned.
constexpr std::array<std::string_view, 56> kOtherWords{
    "time",       "eta",     "data",  "data_time",  "memory",    "mem",     "max_mem",    "seed",
    "size",       "samples", "ms",    "wps",        "ups",       "img/s",   "batches",    "gpus",
    "parameters", "params",  "line",  "port",       "pid",       "runtime", "per_second", "version",
    "v_num",      "mfu",     "scale", "elapsed",    "base_lr",   "num",     "workers",    "fps",
    "gpu_mem",    "seconds", "sec",   "hours",      "minutes",   "rank",    "world_size", "total",
    "images",     "device",  "gpu",   "tokens",     "n_updates", "wall",    "skipped",    "instances",
    "sents",      "tps",     "tok/s", "iterations", "wpb",       "bsz",     "batch_size", "n_iter"};
constexpr std::array<std::string_view, 2> kTrainWords{"train", "training"};
constexpr std::array<std::string_view, 8> kHeldOutWords{"val",  "valid", "validation", "eval",
                                                        "test", "dev",   "evaluation", "testing"};

// Most words differ in their lengths or first letters: asked for each word of each line.
bool isAny(std::string_view text, Words words) {
    return !text.empty() && std::any_of(words.begin(), words.end(), [text](std::string_view word) {
        return word.size() == text.size() && word.front() == text.front() && word == text;
    });
}

// Whether one of the name's words, between anything but letters and digits, is one of these.
bool hasWord(std::string_view name, Words words) {
    const std::string text = lowerCase(name);
    for (std::size_t at = 0; at < text.size();) {
        if (std::isalnum(static_cast<unsigned char>(text[at])) == 0) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
        if (isAny(std::string_view(text).substr(at, end - at), words)) return true;
        at = end;
    }
    return false;
}

// Whether the name is one of these words, or ends with one after a space or a mark.
bool endsWithWord(std::string_view name, Words words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        if (name.empty() || name.back() != word.back() || !name.ends_with(word)) return false;
        return name.size() == word.size() ||
               std::string_view(" _/-").find(name[name.size() - word.size() - 1]) != std::string_view::npos;
    });
}

// "train.py" of "train.py:88".
bool isSource(std::string_view key) {
    return key.ends_with(".py") || key.ends_with(".cc") || key.ends_with(".jl") || key.ends_with(".rs");
}

// Gives the numbers of a line their names.
class LineReader {
public:
    LineReader(const std::vector<PrintedToken>& tokens, PrintedWhich which) : m_tokens(tokens), m_which(which) {}

    PrintedLine read() {
        for (m_at = 0; m_at < m_tokens.size(); ++m_at) token(m_tokens[m_at]);
        // "3:  loss: 0.5", where nothing else tells the step.
        if (!m_line.step && !m_line.epoch && !m_line.batch) m_line.step = m_leading;
        for (auto& each : m_line.values) each.name = nameWithin(m_line.heldOut, each.name);
        return std::move(m_line);
    }

private:
    using Kind = PrintedToken::Kind;
    // What the number behind a square bracket is.
    enum class Bracket { None, Epoch, First, Other }; // First: what the line begins with

    const PrintedToken* after(std::size_t count) const {
        return m_at + count < m_tokens.size() ? &m_tokens[m_at + count] : nullptr;
    }
    bool follows(std::size_t count, Kind kind) const {
        const PrintedToken* token = after(count);
        return token != nullptr && token->kind == kind;
    }

    void token(const PrintedToken& token) {
        const bool afterNumber = std::exchange(m_afterNumber, false);
        const Bracket bracket = std::exchange(m_bracket, Bracket::None);
        switch (token.kind) {
        case Kind::Word: return word(token);
        case Kind::Number: return number(token, bracket);
        case Kind::Fraction: return fraction(token, bracket);
        case Kind::Equals: m_equals = !m_key.empty(); return;
        case Kind::Open: return open(token, afterNumber);
        case Kind::Bar: // of a table, "| loss | 0.3 |"
            if (m_key.empty() || m_equals || afterNumber) return forget();
            m_equals = true;
            return;
        case Kind::Close:
        case Kind::Break: return forget();
        }
    }
    void forget() {
        m_key.clear();
        m_equals = false;
    }
    void word(const PrintedToken& token) {
        const std::string text = lowerCase(token.text);
        if (!std::exchange(m_hasWord, m_hasWord || !isAny(text, kEpochWords)) && isAny(text, kHeldOutWords))
            m_line.heldOut = text.starts_with("test") ? "test" : "val";
        if (m_equals) forget(); // "optimizer: sgd"
        if (!m_key.empty()) m_key += ' ';
        m_key += token.text;
    }
    // "Loss 0.31 (0.35)" has its mean in brackets, "loss (train): 0.3" a word, "Epoch: [2][ 30/100]" two counters.
    void open(const PrintedToken& token, bool afterNumber) {
        if (token.text == "[") {
            m_bracket = isEpoch(lowerCase(m_key)) ? Bracket::Epoch : m_at == 0 ? Bracket::First : Bracket::Other;
            if (m_bracket == Bracket::Epoch || !m_equals || !namesMetric(m_key)) forget();
        } else if (!m_equals && (afterNumber || !m_key.empty())) {
            const bool keepsName = follows(1, Kind::Word) && !m_key.empty();
            while (after(1) != nullptr && m_tokens[m_at].kind != Kind::Close) ++m_at;
            if (!keepsName) forget();
        }
    }
    void number(const PrintedToken& token, Bracket bracket) {
        m_afterNumber = m_line.hasNumbers = true;
        if (m_at == 0 && follows(1, Kind::Equals) && !token.hasUnit && std::floor(token.value) == token.value)
            m_leading = token.value;
        if (bracket == Bracket::Epoch) setOnce(m_line.epoch, token.value);
        else if (bracket == Bracket::First) first(token);
        else if (lowerCase(m_key) == "train" && follows(1, Kind::Open)) setOnce(m_line.epoch, token.value);
        else if (!m_key.empty()) take(token.value, token.hasUnit);
        forget();
    }
    // "[3, 2000] loss: 0.5" begins with epoch and batch, "[2000] loss: 0.5" with the step.
    void first(const PrintedToken& token) {
        if (token.hasUnit) return;
        if (follows(1, Kind::Close)) return setOnce(m_line.step, token.value);
        if (!follows(1, Kind::Break) || !follows(2, Kind::Number) || !follows(3, Kind::Close)) return;
        setOnce(m_line.epoch, token.value);
        setOnce(m_line.step, after(2)->value);
        m_at += 3;
    }
    void fraction(const PrintedToken& token, Bracket bracket) {
        m_afterNumber = m_line.hasNumbers = true;
        const std::string key = lowerCase(m_key);
        const bool beforeAnother = bracket == Bracket::First && follows(1, Kind::Close) && follows(2, Kind::Open);
        if (bracket == Bracket::Epoch || beforeAnother || isEpoch(key)) {
            setOnce(m_line.epoch, token.value);
        } else if (bracket == Bracket::None && m_equals && namesMetric(key) && !isStep(key)) {
            take(token.value / token.total, token.hasUnit); // "Accuracy: 9812/10000"
        } else if (!m_line.batch) {
            m_line.batch = token.value;
            m_line.batches = token.total;
        }
        forget();
    }
    void take(double value, bool hasUnit) {
        std::string key = lowerCase(m_key), name = m_key;
        if (isStep(key)) return setOnce(m_line.step, value);
        if (lastWord(key) == "epochs") return; // how many there will be
        if (isEpoch(key)) return setOnce(m_line.epoch, value);
        if (isSource(key)) return;
        for (const std::string_view prefix : kMeanPrefixes)
            if (key.starts_with(prefix)) {
                name.erase(0, prefix.size());
                key.erase(0, prefix.size());
            }
        // Without a mark between them, words and a number are a sentence, unless the last word names a metric.
        const bool isMetric = !hasUnit && isMetricName(key) &&
                              (m_equals || namesMetric(std::string_view(key).substr(key.rfind(' ') + 1)));
        if (!isMetric && m_which == PrintedWhich::Metrics) return;
        if (name.empty() || name.size() > kLongestName) return;
        for (const auto& each : m_line.values)
            if (each.name == name) return;
        m_line.values.push_back({std::move(name), value, isMetric});
    }

    // Behind "=" a step is named by the whole, since "loss per step = 0.3" is none.
    bool isStep(const std::string& key) const {
        return isAny(key, kStepWords) || (!m_equals && isAny(lastWord(key), kStepWords));
    }
    static bool isEpoch(const std::string& key) { return isAny(key, kEpochWords) || isAny(lastWord(key), kEpochWords); }
    static std::string_view lastWord(const std::string& key) {
        return std::string_view(key).substr(key.rfind(' ') + 1); // npos + 1: the whole
    }
    static void setOnce(std::optional<double>& place, double value) {
        if (!place) place = value;
    }

    const std::vector<PrintedToken>& m_tokens;
    PrintedWhich m_which;
    std::size_t m_at = 0;
    PrintedLine m_line{};
    std::string m_key{}; // the words before the next number
    Bracket m_bracket = Bracket::None;
    std::optional<double> m_leading{}; // a whole number that the line begins with, and a mark
    bool m_equals = false, m_afterNumber = false;
    bool m_hasWord = false; // one that says what the line is of
};

std::uint64_t shapeOf(const std::vector<PrintedToken>& tokens) {
    std::uint64_t hash = 1469598103934665603u; // FNV-1a
    const auto mix = [&](unsigned char byte) { hash = (hash ^ byte) * 1099511628211u; };
    for (const PrintedToken& token : tokens) {
        mix(static_cast<unsigned char>(token.kind));
        if (token.kind == PrintedToken::Kind::Word)
            for (const char c : token.text) mix(static_cast<unsigned char>(c));
    }
    return hash;
}

// Stack traces and warnings name files and lines: "x.py:12: UserWarning". A log's own place has no colon behind it.
bool isOfProgram(std::string_view line) {
    if (line.starts_with("Traceback") || line.find("File \"") != line.npos || line.find(".cpp:") != line.npos)
        return true;
    const auto file = line.find(".py:");
    if (file == line.npos) return false;
    const auto end = line.find_first_not_of("0123456789", file + 4);
    return end != line.npos && line.substr(end).starts_with(": ");
}

} // namespace

std::string nameWithin(std::string_view heldOut, const std::string& name) {
    if (heldOut.empty() || hasWord(name, kHeldOutWords) || hasWord(name, kTrainWords)) return name;
    return std::string(heldOut) + "/" + name;
}

bool isMetricName(std::string_view name) {
    const std::string key = lowerCase(name);
    return !endsWithWord(key, kOtherWords) && !key.starts_with("elapsed") && !key.starts_with("consumed");
}

bool namesMetric(std::string_view name) {
    return hasWord(name, kMetricWords) || lowerCase(name).find("learning_rate") != std::string::npos ||
           lowerCase(name).find("learning rate") != std::string::npos;
}

PrintedLine readPrintedLine(std::string_view line, PrintedWhich which) {
    line = line.substr(0, kMostBytes);
    if (isOfProgram(line)) return {};
    const auto tokens = printedTokens(line);
    PrintedLine result = LineReader(tokens, which).read();
    result.shape = shapeOf(tokens);
    return result;
}

} // namespace trainyard::imports
