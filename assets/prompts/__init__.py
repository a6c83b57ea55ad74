"""One TOML file a benchmark: the built-in prompts, each replaceable from a user's file of the same form."""
