// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::ctl {

// All points of a run with the columns series,step,epoch,time_s,value; of one series when it is named.
Result<std::string> metricsCsv(store::RunQuery& query, const std::string& run, const std::string& series = {});

} // namespace trainyard::ctl
