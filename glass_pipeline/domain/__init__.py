"""Pure: values in, values out. No Dagster, network, clock, environment or global random state."""
