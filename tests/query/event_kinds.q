# Events by what they are about, whatever the file calls them.
# args: --event alloc
# file: tests/fuzz/corpus/jfr/small.jfr
events | select name kind unit current
methods | select name self total kind line
methods | event lock | select name self total kind line
methods | event cpu | select name self total kind line
methods | event jdk.ExecutionSample | select name self total kind line
methods | event io
info | where field in (event, chosen_by, recorder)
