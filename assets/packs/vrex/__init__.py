"""V-REX: two items of each scenario, with the pictures they are about; made, not published."""
