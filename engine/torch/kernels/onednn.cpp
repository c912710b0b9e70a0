// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/onednn.h"

#ifdef TRAINYARD_ONEDNN
#include "engine/torch/base/out_of_memory.h"

#include <sys/mman.h>

#include <dnnl.hpp>
#endif

#include <map>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace trainyard::kernels::onednn {

#ifdef TRAINYARD_ONEDNN

namespace {

using dnnl::memory;

const dnnl::engine& engine() {
    static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
}

dnnl::matmul::primitive_desc describe(const memory::desc& a, const memory::desc& b, const memory::desc& bias,
                                      const memory::desc& c, bool withBias) {
#if DNNL_VERSION_MAJOR >= 3
    return withBias ? dnnl::matmul::primitive_desc(engine(), a, b, bias, c)
                    : dnnl::matmul::primitive_desc(engine(), a, b, c);
#else
    return {withBias ? dnnl::matmul::desc(a, b, bias, c) : dnnl::matmul::desc(a, b, c), engine()};
#endif
}

memory::data_type typeOf(Number number) {
    return number == Number::Bf16 ? memory::data_type::bf16 : memory::data_type::f32;
}

[[noreturn]] void failProduct(const MatrixProduct& p, dnnl_status_t status) {
    const std::string shape = "a product of " + std::to_string(p.m) + " x " + std::to_string(p.k) + " by " +
                              std::to_string(p.k) + " x " + std::to_string(p.n);
    if (status == dnnl_out_of_memory) throw train::OutOfMemory(shape);
    throw std::runtime_error("oneDNN refuses " + shape);
}

// A primitive is a program that oneDNN writes into memory of its own; where it gets none, Debian 12's dies of that.
void requireRoom(const MatrixProduct& p) {
    constexpr std::size_t kRoom = 16u << 20;
    void* const room = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) failProduct(p, dnnl_out_of_memory);
    ::munmap(room, kRoom);
}

// The primitive of one shape with its arguments, whose addresses are set before each execution.
class Matmul {
public:
    Matmul(const MatrixProduct& p, bool withBias)
        : m_a({p.m, p.k}, typeOf(p.factors), p.transposeA ? memory::format_tag::ba : memory::format_tag::ab),
          m_b({p.k, p.n}, typeOf(p.factors), p.transposeB ? memory::format_tag::ba : memory::format_tag::ab),
          m_bias({1, p.n}, memory::data_type::f32, memory::format_tag::ab),
          m_c({p.m, p.n}, typeOf(p.result), memory::format_tag::ab), m_withBias(withBias),
          m_primitive(describe(m_a, m_b, m_bias, m_c, withBias)), m_stream(engine()) {
        for (const auto& [argument, desc] :
             {std::pair(DNNL_ARG_SRC, m_a), std::pair(DNNL_ARG_WEIGHTS, m_b), std::pair(DNNL_ARG_DST, m_c)})
            m_arguments.emplace(argument, memory(desc, engine(), nullptr));
        if (withBias) m_arguments.emplace(DNNL_ARG_BIAS, memory(m_bias, engine(), nullptr));
    }

    void run(const void* a, const void* b, const float* bias, void* c) {
        // The library takes addresses that it only reads as void* too.
        m_arguments.at(DNNL_ARG_SRC).set_data_handle(const_cast<void*>(a));
        m_arguments.at(DNNL_ARG_WEIGHTS).set_data_handle(const_cast<void*>(b));
        m_arguments.at(DNNL_ARG_DST).set_data_handle(c);
        if (m_withBias) m_arguments.at(DNNL_ARG_BIAS).set_data_handle(const_cast<float*>(bias));
        m_primitive.execute(m_stream, m_arguments);
        m_stream.wait();
    }

private:
    memory::desc m_a, m_b, m_bias, m_c;
    bool m_withBias;
    dnnl::matmul m_primitive;
    dnnl::stream m_stream;
    std::unordered_map<int, memory> m_arguments;
};

} // namespace

bool available() { return true; }

std::string version() {
    const auto* v = dnnl_version();
    return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

bool hasBf16() {
    static const bool has = [] {
        try {
            const Matmul made({.m = 16, .n = 16, .k = 16, .factors = Number::Bf16}, false);
            return true;
        } catch (const dnnl::error&) { return false; }
    }();
    return has;
}

void matmul(const MatrixProduct& product, const void* a, const void* b, const float* bias, void* c) {
    constexpr std::size_t kKept = 256; // shapes of a run are few; sequences of many lengths must not fill the memory
    thread_local std::map<std::pair<MatrixProduct, bool>, Matmul> primitives;
    const std::pair key(product, bias != nullptr);
    auto found = primitives.find(key);
    if (found == primitives.end()) {
        if (primitives.size() >= kKept) primitives.clear();
        requireRoom(product);
        try {
            found = primitives.try_emplace(key, product, bias != nullptr).first;
        } catch (const dnnl::error& error) {
            if (error.status == dnnl_out_of_memory) failProduct(product, error.status);
            throw;
        }
    }
    found->second.run(a, b, bias, c);
}

void gemm(const MatrixProduct& p, const float* a, const float* b, float* c) {
    const auto status = dnnl_sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, 1.0F, a,
                                   p.transposeA ? p.m : p.k, b, p.transposeB ? p.k : p.n, 0.0F, c, p.n);
    if (status != dnnl_success) failProduct(p, status);
}

class KeptWeights::Private {
public:
    Private(const float* weights, std::int64_t out, std::int64_t in, const std::vector<std::int64_t>& sizes) {
        const memory plain({{in, out}, memory::data_type::f32, memory::format_tag::ba}, engine(),
                           const_cast<float*>(weights));
        for (const std::int64_t rows : sizes) {
            requireRoom({.transposeB = true, .m = rows, .n = out, .k = in});
            const memory::desc a({rows, in}, memory::data_type::f32, memory::format_tag::ab);
            const memory::desc b({in, out}, memory::data_type::f32, memory::format_tag::any);
            const memory::desc bias({1, out}, memory::data_type::f32, memory::format_tag::ab);
            const memory::desc c({rows, out}, memory::data_type::f32, memory::format_tag::ab);
            const auto described = describe(a, b, bias, c, true);
            m_sizes.try_emplace(rows, Size{dnnl::matmul(described), laidOut(plain, described.weights_desc()),
                                           memory(a, engine(), nullptr), memory(bias, engine(), nullptr),
                                           memory(c, engine(), nullptr)});
        }
        m_none.assign(static_cast<std::size_t>(out), 0.0F);
    }

    void run(std::int64_t rows, const float* a, const float* bias, float* c) {
        Size& size = m_sizes.at(rows);
        size.a.set_data_handle(const_cast<float*>(a));
        size.bias.set_data_handle(const_cast<float*>(bias ? bias : m_none.data()));
        size.c.set_data_handle(c);
        size.product.execute(m_stream, {{DNNL_ARG_SRC, size.a},
                                        {DNNL_ARG_WEIGHTS, size.weights},
                                        {DNNL_ARG_BIAS, size.bias},
                                        {DNNL_ARG_DST, size.c}});
        m_stream.wait();
    }

private:
    struct Size {
        dnnl::matmul product;
        memory weights, a, bias, c;
    };

    // One copy for all sizes that want the same layout.
    memory laidOut(const memory& plain, const memory::desc& wanted) {
        for (const memory& each : m_layouts)
            if (each.get_desc() == wanted) return each;
        memory& made = m_layouts.emplace_back(wanted, engine());
        memory from = plain;
        dnnl::reorder(from, made).execute(m_stream, from, made);
        m_stream.wait();
        return made;
    }

    dnnl::stream m_stream{engine()};
    std::vector<memory> m_layouts;
    std::map<std::int64_t, Size> m_sizes; // by rows
    std::vector<float> m_none;            // a bias of zeros
};

KeptWeights::KeptWeights(const float* weights, std::int64_t out, std::int64_t in, const std::vector<std::int64_t>& rows)
    : d(std::make_unique<Private>(weights, out, in, rows)) {}
KeptWeights::~KeptWeights() = default;
void KeptWeights::run(std::int64_t rows, const float* a, const float* bias, float* c) { d->run(rows, a, bias, c); }

#else

class KeptWeights::Private {};
KeptWeights::KeptWeights(const float*, std::int64_t, std::int64_t, const std::vector<std::int64_t>&) {
    throw std::logic_error("built without oneDNN");
}
KeptWeights::~KeptWeights() = default;
void KeptWeights::run(std::int64_t, const float*, const float*, float*) {
    throw std::logic_error("built without oneDNN");
}
bool available() { return false; }
bool hasBf16() { return false; }
std::string version() { return {}; }
void matmul(const MatrixProduct&, const void*, const void*, const float*, void*) {
    throw std::logic_error("built without oneDNN");
}
void gemm(const MatrixProduct&, const float*, const float*, float*) { throw std::logic_error("built without oneDNN"); }

#endif

} // namespace trainyard::kernels::onednn
