// SPDX-License-Identifier: GPL-3.0-or-later
// A model in a shared library of its own, for the run file's model "plugin". Only this header and LibTorch are needed:
//
//   class Mine : public torch::nn::Module {
//   public:
//       explicit Mine(const trainyard::plugin::Request& request);
//       torch::Tensor forward(torch::Tensor x);  // float [B, ...sampleShape] -> float [B, outputs]
//   };
//   TRAINYARD_MODEL_PLUGIN(Mine, "mine", {{"width", 64, 1, 4096, "Hidden units."}})
//
// The library must be built with the compiler family and the LibTorch that Trainyard is built with; it is refused, with
// the reason, when it is not. Parameter names become names in checkpoints and exports.
#pragma once

#include <torch/torch.h>
#include <torch/version.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::plugin {

// Raised when anything below changes its layout or meaning.
inline constexpr std::uint32_t kVersion = 1;

// A number that the run file may set, `settings: "width=128"`: its default and its range, both ends included.
struct Setting {
    const char* name;
    double usual, min, max;
    const char* help;
};

// What the model is made for.
struct Request {
    std::vector<std::int64_t> sampleShape;  // [C, H, W], [F], or [T] tokens
    std::int64_t outputs = 0;               // classes, columns of targets, or tokens known
    std::string task;                       // "classification", "regression", "language" or "multi-label"
    std::map<std::string, double> settings; // every setting of the registration, within its range

    double setting(const std::string& name) const { return settings.at(name); }
};

// What a plug-in's function returned.
struct Made {
    std::shared_ptr<torch::nn::Module> module;
    std::function<torch::Tensor(torch::Tensor)> forward;
};

// What the library hands over. The members up to abi keep their places in every version.
struct Registration {
    std::uint32_t version; // kVersion
    std::uint32_t size;    // sizeof(Registration)
    const char* libtorch;  // TORCH_VERSION
    std::uint32_t abi;     // _GLIBCXX_USE_CXX11_ABI
    const char* name;
    const Setting* settings;
    std::size_t settingCount;
    Made (*make)(const Request&); // may throw std::exception; its text is shown
};

#ifdef _GLIBCXX_USE_CXX11_ABI
inline constexpr std::uint32_t kAbi = _GLIBCXX_USE_CXX11_ABI;
#else
inline constexpr std::uint32_t kAbi = 2; // another standard library
#endif

template <class Model>
Made makeModel(const Request& request) {
    auto model = std::make_shared<Model>(request);
    return {model, [model = model.get()](torch::Tensor x) { return model->forward(std::move(x)); }};
}

} // namespace trainyard::plugin

// Once in a library, outside of any namespace. The settings are a braced list; {} when there are none.
#define TRAINYARD_MODEL_PLUGIN(Model, name, ...)                                                                       \
    extern "C" __attribute__((visibility("default"))) const trainyard::plugin::Registration*                           \
    trainyard_model_plugin() {                                                                                         \
        static const std::vector<trainyard::plugin::Setting> settings __VA_ARGS__;                                     \
        static const trainyard::plugin::Registration registration{trainyard::plugin::kVersion,                         \
                                                                  sizeof(trainyard::plugin::Registration),             \
                                                                  TORCH_VERSION,                                       \
                                                                  trainyard::plugin::kAbi,                             \
                                                                  name,                                                \
                                                                  settings.data(),                                     \
                                                                  settings.size(),                                     \
                                                                  trainyard::plugin::makeModel<Model>};                \
        return &registration;                                                                                          \
    }
