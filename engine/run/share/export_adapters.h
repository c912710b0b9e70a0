// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>

namespace trainyard::run {

// The low-rank matrices of a checkpoint (finetune.lora) and its head as a folder that PEFT's PeftModel.from_pretrained
// takes: adapter_model.safetensors and adapter_config.json. Of a gpt the names are those of Hugging Face's GPT-2, whose
// weights PEFT then adds them to; of other models the model's own. Makes the folder, replaces the two files. Input: no
// checkpoint of a run with finetune.lora. Environment: disk.
Result<void> exportAdapters(const std::filesystem::path& checkpoint, const std::filesystem::path& folder);

} // namespace trainyard::run
