"""What a sitting's screens show and keep, free of Textual and tested without a terminal."""
