# A profile of OpenTelemetry: labels from attributes and links, threads, inlined lines.
# file: tests/fuzz/corpus/otlp/v1_10
info | where field !~ /index|loader|sandbox/
events | select name kind samples weight unit
threads | select tid name samples total name_source
labels | select labels samples total
methods | select name self total file line
