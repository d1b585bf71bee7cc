# The args of trace events.
# make: jsonmake.py args
spans | select method,detail,wall
spans | group method detail : count, sum wall | where method ~ /^(Source|same|inner)$/
calls | select method,calls,detail
calls | where detail ~ /a:b/ | select method
calls | group detail : count, sum self_wall | where detail ~ /^[xyz]$/
calls | where detail = y | parents | select method detail
calls | range 10us 25us | select method,detail | head 2
async_spans | select name,detail
marks | select name,detail
