# In the manner of PyTorch's MNIST example.
import argparse


def main():
    parser = argparse.ArgumentParser(description="MNIST")
    parser.add_argument("--batch-size", type=int, default=64, metavar="N", help="samples of a step (default: 64)")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--lr", type=float, default=1.0, help="learning rate")
    parser.add_argument("--gamma", type=float, default=0.7)
    parser.add_argument("--no-cuda", action="store_true", default=False, help="disables CUDA")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--betas", type=float, nargs=2, default=(0.9, 0.999))
    parser.add_argument("--data", default="it's \"here\"\n")
    parser.add_argument("--shards", type=int, default=2 * 1024 - 1)
    args = parser.parse_args()
    print(args)


if __name__ == "__main__":
    main()
