"""What ``phoropter study new`` writes: the commented file of a study, and the texts of each benchmark."""
