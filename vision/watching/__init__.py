"""Decides when a throw counts, from fresh frames, stillness, agreement of frames and the dice counted before."""
