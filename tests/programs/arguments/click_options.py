# Options of click.
import click


@click.command()
@click.argument("dataset")
@click.option("--lr", type=float, default=0.1, show_default=True, help="learning rate")
@click.option("--epochs", "-e", default=10)
@click.option("--arch", type=click.Choice(["mlp", "cnn"]), default="mlp")
@click.option("--amp/--no-amp", default=True)
@click.option("--verbose", is_flag=True)
@click.option("--tag", multiple=True)
@click.option("--out", required=True, type=click.Path())
def main(dataset, lr, epochs, arch, amp, verbose, tag, out):
    print(dataset)


if __name__ == "__main__":
    main()
