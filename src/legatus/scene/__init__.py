"""What a screen is: data that any renderer can draw."""
