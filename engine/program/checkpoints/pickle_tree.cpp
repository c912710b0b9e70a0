// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/pickle_tree.h"

namespace trainyard::program {

PickleId PickleTree::add(PickleKind kind) {
    Node node{};
    node.kind = kind;
    m_nodes.push_back(node);
    return static_cast<PickleId>(m_nodes.size() - 1);
}

PickleId PickleTree::addInteger(PickleKind kind, std::int64_t value) {
    const PickleId id = add(kind);
    m_nodes[id].integer = value;
    return id;
}

PickleId PickleTree::addNumber(double value) {
    const PickleId id = add(PickleKind::Float);
    m_nodes[id].number = value;
    return id;
}

PickleId PickleTree::addText(PickleKind kind, std::size_t begin, std::size_t length) {
    const PickleId id = add(kind);
    m_nodes[id].piece = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(length)};
    return id;
}

PickleId PickleTree::addCode(std::string name) {
    const PickleId id = add(PickleKind::Code);
    const auto [known, added] = m_codeNumbers.emplace(name, static_cast<std::uint32_t>(m_code.size()));
    if (added) m_code.push_back(std::move(name));
    m_nodes[id].extra = known->second;
    return id;
}

PickleId PickleTree::addObject(PickleId callable, PickleId arguments) {
    const PickleId id = add(PickleKind::Object);
    m_nodes[id].chain = {0, 0};
    m_nodes[id].extra = static_cast<std::uint32_t>(m_calls.size());
    m_calls.push_back({callable, arguments, 0});
    return id;
}

PickleId PickleTree::addPersistent(PickleId of) {
    const PickleId id = add(PickleKind::Persistent);
    m_nodes[id].extra = of;
    return id;
}

void PickleTree::append(PickleId to, PickleId item) {
    const auto link = static_cast<std::uint32_t>(m_links.size());
    m_links.push_back({item, 0});
    Chain& chain = m_nodes[to].chain;
    if (chain.first == 0) chain.first = link;
    else m_links[chain.last].next = link;
    chain.last = link;
}

double PickleTree::number(PickleId id) const {
    return is(id, PickleKind::Float) ? m_nodes[id].number : static_cast<double>(m_nodes[id].integer);
}

std::string_view PickleTree::text(PickleId id) const {
    const Node& node = m_nodes[id];
    if (node.kind == PickleKind::Code) return m_code[node.extra];
    if (node.kind != PickleKind::Text && node.kind != PickleKind::Bytes) return {};
    return std::string_view(m_pickle).substr(node.piece.begin, node.piece.length);
}

std::vector<PickleId> PickleTree::items(PickleId id) const {
    const Node& node = m_nodes[id];
    std::vector<PickleId> all;
    const bool holds = node.kind == PickleKind::Tuple || node.kind == PickleKind::List ||
                       node.kind == PickleKind::Set || node.kind == PickleKind::Dict || node.kind == PickleKind::Object;
    if (!holds) return all;
    for (std::uint32_t link = node.chain.first; link != 0; link = m_links[link].next) all.push_back(m_links[link].item);
    return all;
}

} // namespace trainyard::program
