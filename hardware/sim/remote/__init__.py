"""The simulated world served to other processes: what crosses a wire, over a socket."""
