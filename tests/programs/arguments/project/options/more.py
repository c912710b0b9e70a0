import argparse


def unrelated():
    pass


def main():  # another program
    parser = argparse.ArgumentParser()
    parser.add_argument("--other")
    parser.parse_args()
