// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/models/model.h"

namespace trainyard::train {

// Copies of a model's buffers (running statistics), which a forward pass changes: for a step that is taken again, or
// not at all.
class BufferCopies {
public:
    void keep(const models::Model& model);      // as they are now
    void bringBack(models::Model& model) const; // those that were kept, if any
    void clear() { m_copies.clear(); }

private:
    std::vector<torch::Tensor> m_copies;
};

} // namespace trainyard::train
