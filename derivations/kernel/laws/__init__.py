"""The laws of the kernel: data, one row a law."""
