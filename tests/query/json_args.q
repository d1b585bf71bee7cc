# What the args of trace events say.
# make: jsonmake.py args
spans | select method,detail,wall
spans | group method detail : count | where method = Source
async_spans | select name,detail
marks | select name,detail
