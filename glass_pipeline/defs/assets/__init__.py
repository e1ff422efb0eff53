"""The assets, one module a stage; each body reads, calls one function and returns.

These modules evaluate their annotations: Dagster reads the types of an asset body off them.
"""
