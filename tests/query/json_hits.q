# A CPU profile of V8 without a list of samples.
# make: jsonmake.py hits
events
calls
