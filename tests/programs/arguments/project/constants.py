DEFAULT_EPOCHS = 3
NAMES = ("linear", "cosine")
