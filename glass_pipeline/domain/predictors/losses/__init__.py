"""Holds the losses of Frail-pi over counts of breaks, one a file.

Never imports torch before a loss is computed, and never holds a parameter to train.
"""
