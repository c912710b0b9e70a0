// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/argument.h"

namespace trainyard::program {

const char* toString(Argument::Action action) {
    switch (action) {
    case Argument::Action::Store: return "store";
    case Argument::Action::StoreTrue: return "store_true";
    case Argument::Action::StoreFalse: return "store_false";
    case Argument::Action::StoreConst: return "store_const";
    case Argument::Action::Append: return "append";
    case Argument::Action::Extend: return "extend";
    case Argument::Action::Count: return "count";
    case Argument::Action::Negatable: return "negatable";
    case Argument::Action::Other: break;
    }
    return "other";
}

const char* toString(ArgumentStyle style) {
    switch (style) {
    case ArgumentStyle::None: break;
    case ArgumentStyle::Argparse: return "argparse";
    case ArgumentStyle::Dataclass: return "dataclass";
    case ArgumentStyle::Tyro: return "tyro";
    case ArgumentStyle::Absl: return "absl";
    case ArgumentStyle::Click: return "click";
    case ArgumentStyle::Fire: return "fire";
    case ArgumentStyle::LightningCli: return "lightning-cli";
    case ArgumentStyle::Hydra: return "hydra";
    case ArgumentStyle::Globals: return "globals";
    }
    return "none";
}

} // namespace trainyard::program
