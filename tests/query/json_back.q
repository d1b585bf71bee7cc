# A CPU profile of V8 with steps back in time and with numbers that are none.
# make: jsonmake.py back
info | where field ~ /repair|loss|elapsed/ and value != 0
calls | select method,samples,self
