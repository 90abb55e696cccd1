"""Campaigns in real time on boxes whose parts are processes of their own."""
