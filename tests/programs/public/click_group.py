# click with two commands.
import click
import torch


@click.group()
@click.option("--debug/--no-debug", default=False)
def cli(debug):
    torch.manual_seed(0)


@cli.command()
@click.option("--data", "data_path", help="training data", type=str, required=True)
@click.option("--gamma", type=click.FloatRange(min=0), default=10, show_default=True)
@click.option("--batch-size", "-b", type=int, default=32)
@click.option("--mirror", is_flag=True)
def train(data_path, gamma, batch_size, mirror):
    pass


@cli.command("make-images")
@click.argument("network")
@click.option("--seeds", default="0-3")
def make_images(network, seeds):
    pass


if __name__ == "__main__":
    cli()
