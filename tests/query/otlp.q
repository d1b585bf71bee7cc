# A profile of OpenTelemetry: labels from attributes and links, threads, inlined lines.
# file: tests/fuzz/corpus/otlp/v1_10
info | where field !~ /index|loader|sandbox/
events
threads
labels
methods
