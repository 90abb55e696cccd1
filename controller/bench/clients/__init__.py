"""Campaign of several clients at one daemon, over its socket: lost answers, repeated commands, restarts."""

from controller.bench.clients.clients import bench_clients

__all__ = ["bench_clients"]
