# A profile that does not count samples by line says so.
# file: demo/profile.txt.gz
lines | top 3 samples
