// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/torch_values.h"

#include "engine/base/text/printable.h"
#include "engine/program/checkpoints/known_code.h"
#include "engine/store/files/safetensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trainyard::program {
namespace {

constexpr std::size_t kValuesDeep = 64, kMostName = 200, kMostVisited = 2'000'000, kMostTensors = 500'000,
                      kMostDimensions = 64;
constexpr std::size_t kNamesBytes = 64u << 20; // bytes of all names together
constexpr std::size_t kMostNumbers = 1000, kNumbersDepth = 3, kMostNotes = 20;

constexpr std::array<std::string_view, 9> kStepNames{"global_step",  "global_steps", "step",        "iteration", "iter",
                                                     "current_iter", "iter_num",     "num_updates", "n_iter"};
constexpr std::array<std::string_view, 3> kEpochNames{"epoch", "current_epoch", "epoch_num"};
// Dictionaries in which a program keeps them.
constexpr std::array<std::string_view, 7> kHolders{"meta",     "state",       "extra_state",  "trainer",
                                                   "progress", "train_state", "trainer_state"};

using Ids = std::vector<PickleId>;

// A tensor's view of its storage.
struct View {
    std::string_view dtype;
    std::string key;
    std::int64_t first = 0;
    std::vector<std::int64_t> shape, strides;
};

class TorchWalk {
public:
    TorchWalk(const PickleTree& tree, const FindStorage& storage, FileContent& content)
        : m_tree(tree), m_storage(storage), m_content(content) {}

    void run() {
        visit(m_tree.root(), 0);
        if (m_full) note("only the first " + std::to_string(m_content.tensors.size()) + " tensors are listed");
    }

private:
    void note(std::string text) {
        if (m_content.notes.size() < kMostNotes) m_content.notes.push_back(std::move(text));
    }
    // Adds a name to the path for as long as it lives.
    class Named {
    public:
        Named(std::string& path, std::string_view name) : m_path(path), m_size(path.size()) {
            if (name.empty()) return;
            if (!path.empty()) path += '.';
            path += name.substr(0, kMostName);
        }
        ~Named() { m_path.resize(m_size); }
        Named(const Named&) = delete;
        Named& operator=(const Named&) = delete;

    private:
        std::string& m_path;
        std::size_t m_size;
    };

    // Values may stand in many places, so that walking through few of them may take for ever: what is looked at counts.
    Ids itemsOf(PickleId id) {
        Ids items = m_tree.items(id);
        m_visited += items.size();
        return items;
    }
    void visit(PickleId id, std::size_t depth) {
        if (m_full || depth > kValuesDeep) return;
        if (++m_visited > kMostVisited || m_content.tensors.size() >= kMostTensors || m_names > kNamesBytes) {
            m_full = true;
            return;
        }
        switch (m_tree.kind(id)) {
        case PickleKind::Dict: dict(itemsOf(id), depth); break;
        case PickleKind::List:
        case PickleKind::Tuple: list(itemsOf(id), depth); break;
        case PickleKind::Object: object(id, depth); break;
        case PickleKind::Int:
        case PickleKind::Float: number(id, depth); break;
        default: break;
        }
    }

    std::string keyText(PickleId id) const {
        if (m_tree.is(id, PickleKind::Text)) return std::string(m_tree.text(id).substr(0, kMostName));
        if (m_tree.is(id, PickleKind::Int)) return std::to_string(m_tree.integer(id));
        return "?";
    }
    void dict(const Ids& items, std::size_t depth) {
        for (std::size_t at = 0; at + 1 < items.size() && !m_full; at += 2) {
            const std::string key = keyText(items[at]);
            const Named named(m_path, key);
            if (key == "param_groups") learningRates(items[at + 1]);
            else visit(items[at + 1], depth + 1);
        }
    }
    void list(const Ids& items, std::size_t depth) {
        for (std::size_t at = 0; at < items.size() && !m_full; ++at) {
            const PickleKind kind = m_tree.kind(items[at]);
            const bool holds = kind == PickleKind::Dict || kind == PickleKind::List || kind == PickleKind::Tuple ||
                               kind == PickleKind::Object;
            if (!holds) continue; // a number without a name
            const Named named(m_path, std::to_string(at));
            visit(items[at], depth + 1);
        }
    }
    void object(PickleId id, std::size_t depth) {
        const auto& call = m_tree.call(id);
        const std::string_view name = m_tree.text(call.callable);
        const Ids given = itemsOf(call.arguments);
        if (name.starts_with("torch._utils._rebuild_parameter") && !given.empty()) return visit(given[0], depth + 1);
        if (name == "torch._tensor._rebuild_from_type_v2" && given.size() >= 3) return rebuilt(given, depth);
        if (name.starts_with("torch._utils._rebuild_")) return tensor(name, given);
        // What the object knows by name; a module keeps its parts in three dictionaries.
        dictOfState(call.state, depth);
        dict(itemsOf(id), depth);
    }
    // A tensor of a class of its own, or one with attributes: the function that makes it, and what it is given.
    void rebuilt(const Ids& given, std::size_t depth) {
        if (++m_visited > kMostVisited || depth > kValuesDeep) return;
        const std::string_view name = m_tree.text(given[0]);
        const Ids inner = itemsOf(given[2]);
        if (name.starts_with("torch._utils._rebuild_parameter") && !inner.empty()) visit(inner[0], depth + 1);
        else tensor(name, inner);
    }
    void dictOfState(PickleId state, std::size_t depth) {
        if (state == 0 || !m_tree.is(state, PickleKind::Dict)) return;
        const Ids items = itemsOf(state);
        for (std::size_t at = 0; at + 1 < items.size() && !m_full; at += 2) {
            const std::string key = keyText(items[at]);
            const bool ofModule = key == "_parameters" || key == "_buffers" || key == "_modules";
            const Named named(m_path, ofModule ? std::string() : key);
            visit(items[at + 1], depth + 1);
        }
    }

    // A tuple, or torch.Size of one.
    std::vector<std::int64_t> sizes(PickleId id) {
        if (m_tree.is(id, PickleKind::Object)) {
            const Ids given = itemsOf(m_tree.call(id).arguments);
            if (given.empty() || m_tree.is(given[0], PickleKind::Object)) return {-1};
            return sizes(given[0]);
        }
        const Ids items = itemsOf(id);
        std::vector<std::int64_t> all;
        if (items.size() > kMostDimensions) return {-1};
        for (const PickleId each : items) all.push_back(m_tree.is(each, PickleKind::Int) ? m_tree.integer(each) : -1);
        return all;
    }

    void tensor(std::string_view name, const Ids& given) {
        TensorPlace place{.path = m_path, .dtype = {}};
        m_names += m_path.size() + sizeof place;
        const bool dense = name == "torch._utils._rebuild_tensor_v2" || name == "torch._utils._rebuild_tensor" ||
                           name == "torch._utils._rebuild_tensor_v3" || name == "torch._utils._rebuild_qtensor";
        if (dense && given.size() >= 4 && m_tree.is(given[0], PickleKind::Persistent)) {
            View view = viewOf(given);
            if (name == "torch._utils._rebuild_tensor_v3" && given.size() >= 7)
                view.dtype = dtypeNamed(m_tree.text(given[6]));
            place.dtype = view.dtype;
            place.shape = view.shape;
            findValues(view, place);
        } else if (name == "torch._utils._rebuild_meta_tensor_no_storage" && given.size() >= 2) {
            place.dtype = dtypeNamed(m_tree.text(given[0]));
            place.shape = sizes(given[1]);
        } else {
            const std::string what(name.substr(std::string_view("torch._utils._rebuild_").size()));
            note(printable(m_path) + " is stored as a " + printable(what, 40) + ", which is not read");
        }
        m_content.tensors.push_back(std::move(place));
    }
    // Storage, place of the first value, shape, strides.
    View viewOf(const Ids& given) {
        View view;
        const Ids id = itemsOf(m_tree.persistentId(given[0])); // "storage", its type, key, device, how many
        if (id.size() >= 3) {
            view.dtype = dtypeNamed(m_tree.text(id[1]));
            view.key = std::string(m_tree.text(id[2]));
        }
        view.first = m_tree.is(given[1], PickleKind::Int) ? m_tree.integer(given[1]) : -1;
        // Before 0.4 a storage might begin within another, and said where.
        if (const Ids part = id.size() >= 6 ? itemsOf(id[5]) : Ids(); part.size() == 3) view.first = -1;
        view.shape = sizes(given[2]);
        view.strides = sizes(given[3]);
        return view;
    }
    void findValues(const View& view, TensorPlace& place) {
        const auto width = widthOfType(view.dtype);
        const auto size = width ? store::shapeSize(*width, view.shape) : std::nullopt;
        if (!size) {
            if (width) note(printable(m_path) + " has an impossible shape");
            return;
        }
        place.bytes = *size;
        if (*size == 0) return;
        const auto storage = m_storage(view.key);
        if (!storage) return note(printable(m_path) + " has its values nowhere in the file");
        const bool together = isContiguous(view);
        const auto reach = together ? size : reachOf(view, *width);
        std::uint64_t begin = 0, end = 0;
        const bool counted = view.first >= 0 && reach &&
                             !__builtin_mul_overflow(static_cast<std::uint64_t>(view.first), *width, &begin) &&
                             !__builtin_add_overflow(begin, *reach, &end);
        if (!counted || end > storage->bytes)
            return note(printable(m_path) + " should have " + std::to_string(reach.value_or(0)) + " bytes from byte " +
                        std::to_string(begin) + " of its storage on, which has " + std::to_string(storage->bytes));
        if (!storage->offset) return;
        if (together) {
            place.offset = *storage->offset + begin;
        } else if (*size <= storage->bytes) { // else it repeats values, and few bytes would become very many
            place.firstOfView = *storage->offset + begin;
            place.strides = view.strides;
        }
    }
    // From the first value of a view to the end of the last.
    static std::optional<std::uint64_t> reachOf(const View& view, std::uint64_t width) {
        std::uint64_t last = 0;
        if (view.strides.size() != view.shape.size()) return std::nullopt;
        for (std::size_t at = 0; at < view.shape.size(); ++at) {
            std::uint64_t steps = 0;
            if (view.strides[at] < 0 ||
                __builtin_mul_overflow(static_cast<std::uint64_t>(view.shape[at] - 1),
                                       static_cast<std::uint64_t>(view.strides[at]), &steps) ||
                __builtin_add_overflow(last, steps, &last))
                return std::nullopt;
        }
        std::uint64_t bytes = 0;
        if (__builtin_add_overflow(last, std::uint64_t{1}, &last) || __builtin_mul_overflow(last, width, &bytes))
            return std::nullopt;
        return bytes;
    }
    static bool isContiguous(const View& view) {
        std::int64_t stride = 1;
        if (view.strides.size() != view.shape.size()) return false;
        for (std::size_t at = view.shape.size(); at-- > 0;) {
            if (view.shape[at] == 1) continue;
            if (view.strides[at] != stride) return false;
            stride *= view.shape[at]; // the size has been checked
        }
        return true;
    }
    void number(PickleId id, std::size_t depth) {
        const double value = m_tree.number(id);
        if (depth == 0 || depth > kNumbersDepth || m_content.numbers.size() >= kMostNumbers) return;
        if (depth <= 2) keepProgress(m_path, id);
        m_content.numbers.push_back({m_path, value});
    }
    // "epoch", "meta.iter": the first counts.
    void keepProgress(std::string_view path, PickleId id) {
        const auto dot = path.find('.');
        if (dot != path.npos && std::ranges::find(kHolders, path.substr(0, dot)) == kHolders.end()) return;
        const std::string_view name = dot == path.npos ? path : path.substr(dot + 1);
        const double value = m_tree.number(id);
        if (!(value >= 0) || value > 1e15) return; // also NaN
        if (isStepName(name) && !m_content.step && m_tree.is(id, PickleKind::Int)) m_content.step = m_tree.integer(id);
        if (isEpochName(name) && !m_content.epoch) m_content.epoch = value;
    }
    void learningRates(PickleId groups) {
        const Ids all = itemsOf(groups);
        for (std::size_t group = 0; group < all.size() && m_content.learningRates.size() < kMostNumbers; ++group) {
            if (!m_tree.is(all[group], PickleKind::Dict)) continue;
            if (m_visited > kMostVisited) return;
            const Ids items = itemsOf(all[group]);
            for (std::size_t at = 0; at + 1 < items.size(); at += 2) {
                const PickleKind kind = m_tree.kind(items[at + 1]);
                if (keyText(items[at]) == "lr" && (kind == PickleKind::Float || kind == PickleKind::Int))
                    m_content.learningRates.push_back(
                        {m_path + "." + std::to_string(group) + ".lr", m_tree.number(items[at + 1])});
            }
        }
    }

    const PickleTree& m_tree;
    const FindStorage& m_storage;
    FileContent& m_content;
    std::string m_path{};
    std::size_t m_visited = 0, m_names = 0;
    bool m_full = false;
};

} // namespace

std::optional<std::uint64_t> widthOfType(std::string_view dtype) {
    if (dtype == "complex128") return 16;
    if (dtype == "qint32") return 4;
    if (dtype == "quint8" || dtype == "qint8" || dtype.starts_with("float8")) return 1;
    return store::elementSize(std::string(dtype));
}

bool isStepName(std::string_view name) { return std::ranges::find(kStepNames, name) != kStepNames.end(); }
bool isEpochName(std::string_view name) { return std::ranges::find(kEpochNames, name) != kEpochNames.end(); }

void readTorchValues(const PickleTree& pickle, const FindStorage& storage, FileContent& content) {
    TorchWalk(pickle, storage, content).run();
}

} // namespace trainyard::program
