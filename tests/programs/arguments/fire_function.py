# A function whose parameters are the arguments.
import fire


def train(data: str, lr: float = 0.1, epochs=3, name="run", amp: bool = False):
    print(data)


if __name__ == "__main__":
    fire.Fire(train)
