// SPDX-License-Identifier: GPL-3.0-or-later
// What a pickle describes, as values (CHECKPOINTS.md): no object of it is ever built.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// The number of a value in its tree.
using PickleId = std::uint32_t;

// What a value is.
enum class PickleKind : std::uint8_t {
    None,
    Bool,
    Int,
    Float,
    Text,
    Bytes,
    Tuple,
    List,
    Set,
    Dict,
    Code,       // a function or class that is named: "collections.OrderedDict"
    Object,     // what a call of one would give
    Persistent, // what stands elsewhere: in a .pt file the bytes of a tensor
    Other,      // a number that is too large
};

// The values of a pickle, which may hold one another in circles: whoever walks through them needs a limit.
class PickleTree {
public:
    explicit PickleTree(std::string pickle) : m_pickle(std::move(pickle)) {}

    PickleKind kind(PickleId id) const { return m_nodes[id].kind; }
    bool is(PickleId id, PickleKind kind) const { return m_nodes[id].kind == kind; }
    std::int64_t integer(PickleId id) const { return m_nodes[id].integer; } // of Bool and Int
    double number(PickleId id) const;                                       // of Bool, Int and Float
    // Of Text and Bytes; of Code its name. Lives as long as the tree.
    std::string_view text(PickleId id) const;
    // Of Tuple, List and Set; of Dict and Object a key, its value, and so on.
    std::vector<PickleId> items(PickleId id) const;

    // Of an Object: what is called with what, and the state that it is given after.
    struct Call {
        PickleId callable = 0, arguments = 0, state = 0; // state 0: none
    };
    const Call& call(PickleId object) const { return m_calls[m_nodes[object].extra]; }
    PickleId persistentId(PickleId id) const { return m_nodes[id].extra; }

    // Values are numbered from 0.
    PickleId values() const { return static_cast<PickleId>(m_nodes.size()); }
    PickleId root() const { return m_root; }
    const std::string& pickle() const { return m_pickle; }
    // Every function and class that it names, each once, in order: reading the pickle would import them, and may call
    // them.
    const std::vector<std::string>& code() const { return m_code; }
    std::size_t size() const { return m_nodes.size() + m_links.size(); }

    // For the machine alone.
    PickleId addPlain(PickleKind kind) { return add(kind); }
    PickleId addInteger(PickleKind kind, std::int64_t value);
    PickleId addNumber(double value);
    PickleId addText(PickleKind kind, std::size_t begin, std::size_t length); // of the pickle
    PickleId addCode(std::string name);
    PickleId addObject(PickleId callable, PickleId arguments);
    PickleId addPersistent(PickleId of);
    void append(PickleId to, PickleId item);
    void setState(PickleId object, PickleId state) { m_calls[m_nodes[object].extra].state = state; }
    void setRoot(PickleId root) { m_root = root; }

private:
    struct Piece {
        std::uint32_t begin, length;
    };
    struct Chain { // of links; 0: none
        std::uint32_t first, last;
    };
    struct Node { // 16 bytes: there are millions in the state of a sampler
        union {
            std::int64_t integer;
            double number;
            Piece piece;
            Chain chain;
        };
        std::uint32_t extra = 0; // of Code its name, of Object its call, of Persistent its id
        PickleKind kind = PickleKind::None;
    };
    struct Link {
        PickleId item;
        std::uint32_t next;
    };
    PickleId add(PickleKind kind);

    std::string m_pickle;
    std::vector<Node> m_nodes{};
    std::vector<Link> m_links{{0, 0}};
    std::vector<Call> m_calls{};
    std::vector<std::string> m_code{};
    std::map<std::string, std::uint32_t, std::less<>> m_codeNumbers{};
    PickleId m_root = 0;
};

} // namespace trainyard::program
