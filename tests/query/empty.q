threads | where calls > 1M
