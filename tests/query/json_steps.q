# The interval of a sampler is that of most of its samples, and no power of two.
# make: jsonmake.py steps
info | where field ~ /^sample/
