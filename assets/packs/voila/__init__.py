"""VOILA: WD has two questions of each of the 19 structures, ND two of each of the seven; made, not published."""
