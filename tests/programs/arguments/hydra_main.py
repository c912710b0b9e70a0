# Hydra: the settings are in a file.
import hydra


@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(config):
    print(config)


if __name__ == "__main__":
    main()
