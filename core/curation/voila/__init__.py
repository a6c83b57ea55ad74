"""VOILA with pictures of its own: 30 made of each content, judged, and 10 kept by people (section 3.1)."""
