"""Recorders of the C modules below gpiozero: they take the calls that the packages take, and behave as these do."""
