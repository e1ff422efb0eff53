"""Holds Synth-CD: jobs whose complexity, demand for expertise and fragility are known, because they were drawn.

Never looks at a real benchmark, and never at a solver.
"""
