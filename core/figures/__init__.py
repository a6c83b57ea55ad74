"""Figures as data: what is drawn and the numbers beside it. What draws them is elsewhere."""
