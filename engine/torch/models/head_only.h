// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/models/model.h"

namespace trainyard::models {

// The last layer of a model as a model, for samples that are what the body puts out. The model outlives it.
class HeadOnly final : public Model {
public:
    explicit HeadOnly(HeadedModel& model) : m_model(model) {}
    torch::Tensor forward(torch::Tensor features) override { return m_model.head(features); }

private:
    HeadedModel& m_model;
};

} // namespace trainyard::models
