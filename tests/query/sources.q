# Every source, its columns and its first rows.
threads
methods | head 3
calls | head 5
merged | head 3
inverted | head 3
spans main | head 4
records | head 4
