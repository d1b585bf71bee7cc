# A column of a comparison, asked for without one.
methods | top 5 total_delta
calls | where self_before > 0
