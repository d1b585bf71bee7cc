# Frames that open and close in other units than times; profiles of several measures, one of which the file opens.
# file: tests/fuzz/corpus/json/speedscope_steps
info | where field ~ /^(repair.*|samples|total|chosen_by|loss.*)$/ and value != 0
events | select name kind samples weight unit current
overview | select line value share subject
calls | format folded
threads | select name total
