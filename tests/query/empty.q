threads | where calls > 1M | select tid name calls wall cpu
