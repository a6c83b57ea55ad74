"""VOILA: WD with two questions of each of the 19 structures, ND with two of each of the seven; made, not published."""
