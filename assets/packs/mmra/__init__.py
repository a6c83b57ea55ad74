"""MMRA: four items of each subtask, with the pictures they are about; made, not published."""
