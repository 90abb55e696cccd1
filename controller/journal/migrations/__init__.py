"""Read journals of earlier formats as if they were written today: one step for each change of the events."""
