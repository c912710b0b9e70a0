// SPDX-License-Identifier: GPL-3.0-or-later
// Adoptions between the trials of a sweep, as stored.
#pragma once

#include "engine/store/trial_log.h"
#include "engine/sweep/values/event.h"

#include <map>

namespace trainyard::sweep {

inline constexpr const char* kAdopted = "adopted"; // TrialEventRow::kind
int donorOf(const store::TrialEventRow& adopted);
// By the trial that adopted, in order.
std::map<int, std::vector<Adoption>> adoptionsOf(const std::vector<store::TrialEventRow>& events);

// The outcome of an order to adopt: "adopted trial 2 at epoch 3, and continues with optimizer.lr 0.04".
std::string adoptionText(const Adoption& adoption, bool epochs);
// A trial's last adoption in words, and the number of adoptions; empty: none.
std::string adoptionsText(const std::vector<Adoption>& adoptions, bool epochs);

} // namespace trainyard::sweep
