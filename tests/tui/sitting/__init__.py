"""The application that participants sit at."""
