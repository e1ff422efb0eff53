"""The only Dagster code: it wires the pure stages of ``domain`` and the solvers of ``llm`` into one graph."""
