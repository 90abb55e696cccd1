"""Claims of Fleet! and Flash!: drawn and laid (`drawing`), read and judged (`trials`), counted (`report`)."""

from controller.bench.claims.trials import bench_claims

__all__ = ["bench_claims"]
