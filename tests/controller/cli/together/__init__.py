"""Tests of `controller.cli.together`."""
