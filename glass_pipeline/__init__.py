"""Which benchmark items break when they are reworded without changing what they ask.

base_problems -> twins -> noop_audit -> multiop_mix            (no solver yet: nobody pays for a dropped twin)
base_problems -> base_labels -------------------.              (every base solved anew in every dose run)
multiop_mix  -> solver_labels -> labeled_pairs --> causal_difficulty -> report

``domain`` holds the science as pure functions, ``llm`` asks solvers, ``defs`` is the Dagster graph around
both, ``cli`` is the ``glass`` command. Importing this package imports nothing.
"""
