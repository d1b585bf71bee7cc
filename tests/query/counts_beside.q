# A report of native memory beside a heap dump: the dump is asked, and the process is a sum.
# args: SRC/tests/fuzz/corpus/counts/status
# file: demo/demo.hprof.gz
overview | where line = process | select line value subject
native_memory | top 3 committed | select committed reserved name malloc
info | where field = native_reports
