"""Measures the camera with a printed sheet: lens, place, exposure and white balance."""
