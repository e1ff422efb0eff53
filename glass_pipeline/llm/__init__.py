"""Holds the only code that talks to a network: solvers, their response store, and readers of published data sets.

Never holds grading, estimands or Dagster; the doors are ``solve.solve`` and ``solve.estimate``. Imports nothing, so
that a worker that only grades does not pay for an HTTP client.
"""
