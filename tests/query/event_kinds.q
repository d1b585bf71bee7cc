# Events by what they are about, whatever the file calls them.
# args: --event alloc
# file: tests/fuzz/corpus/jfr/small.jfr
events | select name kind unit current
methods
methods | event lock
methods | event cpu
methods | event jdk.ExecutionSample
methods | event io
info | where field in (event, chosen_by, recorder)
