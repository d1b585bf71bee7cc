# A speedscope file with sampled and evented profiles, at times below 0.
# make: jsonmake.py both
info | where field ~ /repair|loss|elapsed|entries/ and value != 0
threads | select name,calls,wall,start,end
events | select name,samples,weight
spans | select thread,method,start_wall,wall
calls | event time | select method,samples,self
calls | event samples | select method,samples,self
