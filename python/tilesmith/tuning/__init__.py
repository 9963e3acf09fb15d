"""`tilesmith tune`: the launches of a script, tuned. The search itself is asc.runtime.tuning."""
