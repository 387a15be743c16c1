"""Kernels: compiled functions over records, with a compile cache that can be trusted."""

from kostka.core.kernels.dispatcher import Kernel, kernel, plain, word_kernel

__all__ = ["Kernel", "kernel", "plain", "word_kernel"]
