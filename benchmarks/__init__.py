"""Measurements that `make bench` prints: one file each, each runnable alone (`python -m benchmarks.<name>`), each writing JSON lines."""
