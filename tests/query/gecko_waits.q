# Profiles of Firefox have no states of threads, so no waits.
# make: gecko.py demo
waits
marks | top 1 time | select time at name
