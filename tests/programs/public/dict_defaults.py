# The options are the keys of dicts, which are put together: only Python knows their names.
import argparse

import torch as th


def model_and_diffusion_defaults():
    res = dict(image_size=64, num_channels=128, attention_resolutions="16,8", dropout=0.0, learn_sigma=False)
    res.update(diffusion_defaults())
    return res


def diffusion_defaults():
    return dict(diffusion_steps=1000, noise_schedule="linear", rescale_timesteps=False)


def str2bool(v):
    if isinstance(v, bool):
        return v
    return v.lower() in ("yes", "true", "1")


def add_dict_to_argparser(parser, default_dict):
    for k, v in default_dict.items():
        v_type = type(v)
        if v is None:
            v_type = str
        elif isinstance(v, bool):
            v_type = str2bool
        parser.add_argument(f"--{k}", default=v, type=v_type)


def create_argparser():
    defaults = dict(data_dir="", lr=1e-4, batch_size=1, ema_rate="0.9999", use_fp16=False)
    defaults.update(model_and_diffusion_defaults())
    parser = argparse.ArgumentParser()
    add_dict_to_argparser(parser, defaults)
    return parser


def main():
    args = create_argparser().parse_args()
    th.manual_seed(0)
    print(args)


if __name__ == "__main__":
    main()
