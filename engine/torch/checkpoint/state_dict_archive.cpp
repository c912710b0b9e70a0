// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/checkpoint/state_dict_archive.h"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include <functional>

namespace trainyard::train {

std::string stateDictArchive(const optim::NamedTensors& tensors) {
    c10::Dict<std::string, at::Tensor> dictionary;
    for (const auto& [name, tensor] : tensors) dictionary.insert(name, tensor);
    std::string pickled, archive;
    torch::jit::Pickler pickler([&](const char* bytes, std::size_t count) { pickled.append(bytes, count); },
                                /*tensor_table=*/nullptr, /*type_renamer=*/nullptr, /*memoized_class_types=*/nullptr,
                                /*get_tensor_id=*/nullptr, /*tag_aggregates=*/false);
    pickler.protocol();
    pickler.pushIValue(c10::IValue(dictionary));
    pickler.stop();
    const std::function<std::size_t(const void*, std::size_t)> append = [&](const void* bytes, std::size_t count) {
        archive.append(static_cast<const char*>(bytes), count);
        return count;
    };
    caffe2::serialize::PyTorchStreamWriter writer(append);
    std::size_t number = 0; // by which the pickle names a tensor's memory
    for (const at::Tensor& tensor : pickler.tensorData()) {
        const auto memory = torch::jit::getWriteableTensorData(tensor);
        writer.writeRecord("data/" + std::to_string(number++), memory.data(), memory.sizeInBytes());
    }
    writer.writeRecord("data.pkl", pickled.data(), pickled.size());
    writer.writeEndOfFile();
    return archive;
}

} // namespace trainyard::train
