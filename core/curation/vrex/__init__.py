"""New V-REX planning items from gold chains (paper sections 4.2 and 9)."""
