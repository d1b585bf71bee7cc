# V8 counts the samples of each line of a function, in each node of the tree; two of these counts are damaged.
# file: tests/fuzz/corpus/json/position_ticks
lines | sort file line
methods | select id name samples file line
lines | group function : sum samples
info | where field ~ /unread|loss|repair/ and value != 0 | select field value
