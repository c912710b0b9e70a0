// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"

// A small catalog with a parameter of every type, for the tests of validation.
// Long because: a table of entries.
inline trainyard::spec::Catalog testCatalog() {
    using namespace trainyard::spec;
    Catalog catalog;
    catalog.version = "0.1.0";
    catalog.libtorchVersion = "1.13.1";
    catalog.blas = "OpenBLAS";
    Entry mlp{.name = "mlp", .title = "MLP", .help = "Dense layers.", .params = {}, .unavailable = {}, .facts = {}};
    mlp.params = {{.name = "hidden",
                   .title = "Layers",
                   .type = ParamType::IntegerList,
                   .defaultValue = std::vector<double>{512, 512},
                   .min = 1,
                   .max = 65536,
                   .options = {},
                   .unit = {},
                   .help = "Widths."},
                  {.name = "dropout",
                   .title = "Dropout",
                   .type = ParamType::Number,
                   .defaultValue = 0.0,
                   .min = 0,
                   .max = 0.9,
                   .options = {},
                   .unit = {},
                   .help = {}},
                  {.name = "activation",
                   .title = "Activation",
                   .type = ParamType::Option,
                   .defaultValue = std::string("relu"),
                   .min = {},
                   .max = {},
                   .options = {"relu", "gelu"},
                   .unit = {},
                   .help = {}}};
    Entry resnet{.name = "resnet18",
                 .title = "ResNet-18",
                 .help = {},
                 .params = {},
                 .unavailable = {},
                 .facts = {{"source", "He 2015"}}};
    catalog.models = {mlp, resnet};
    Entry fashion{.name = "fashion-mnist",
                  .title = "Fashion-MNIST",
                  .help = {},
                  .params = {},
                  .unavailable = {},
                  .facts = {{"samples", "60000"}}};
    fashion.params = {{.name = "limit",
                       .title = "Limit",
                       .type = ParamType::Integer,
                       .defaultValue = std::int64_t{0},
                       .min = 0,
                       .max = {},
                       .options = {},
                       .unit = "samples",
                       .help = {}},
                      {.name = "folder",
                       .title = "Folder",
                       .type = ParamType::Path,
                       .defaultValue = std::string(),
                       .min = {},
                       .max = {},
                       .options = {},
                       .unit = {},
                       .help = {}}};
    Entry mnist{.name = "mnist",
                .title = "MNIST",
                .help = {},
                .params = {},
                .available = false,
                .unavailable = "its files are not in /usr/share/datasets",
                .facts = {}};
    const Entry waves{.name = "waves",
                      .title = "Waves",
                      .help = {},
                      .params = {},
                      .unavailable = {},
                      .facts = {},
                      .tasks = {"regression"}};
    fashion.tasks = mnist.tasks = {"classification"};
    catalog.datasets = {fashion, mnist, waves};
    const ParamInfo lr{.name = "lr",
                       .title = "Learning rate",
                       .type = ParamType::Number,
                       .defaultValue = 0.1,
                       .min = 0,
                       .max = 10,
                       .minExclusive = true,
                       .logScale = true,
                       .options = {},
                       .unit = {},
                       .help = {}};
    const ParamInfo nesterov{.name = "nesterov",
                             .title = "Nesterov",
                             .type = ParamType::Flag,
                             .defaultValue = false,
                             .min = {},
                             .max = {},
                             .options = {},
                             .unit = {},
                             .help = {}};
    ParamInfo momentum = lr;
    momentum.name = "momentum";
    momentum.defaultValue = 0.0;
    momentum.minExclusive = momentum.logScale = false;
    momentum.max = 1;
    catalog.optimizers = {
        {.name = "sgd", .title = "SGD", .help = {}, .params = {lr, momentum, nesterov}, .unavailable = {}, .facts = {}},
        {.name = "adamw", .title = "AdamW", .help = {}, .params = {lr}, .unavailable = {}, .facts = {}}};
    catalog.schedules = {
        {.name = "constant", .title = "Constant", .help = {}, .params = {}, .unavailable = {}, .facts = {}}};
    catalog.losses = {{.name = "cross-entropy",
                       .title = "Cross entropy",
                       .help = {},
                       .params = {},
                       .unavailable = {},
                       .facts = {},
                       .tasks = {"classification", "language"}},
                      {.name = "bce",
                       .title = "BCE",
                       .help = {},
                       .params = {},
                       .unavailable = {},
                       .facts = {},
                       .tasks = {"classification", "regression"}},
                      {.name = "mse",
                       .title = "Squares",
                       .help = {},
                       .params = {},
                       .unavailable = {},
                       .facts = {},
                       .tasks = {"regression"}}};
    catalog.precisions = {"fp32", "bf16"};
    catalog.backends = {"auto", "gloo"};
    catalog.devices = {{"cpu", "CPU, 2 cores", 1 << 30}};
    return catalog;
}
