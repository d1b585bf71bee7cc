# file: tests/fuzz/corpus/table/lines.jsonl
info
columns
records
records | where ms > 100
calls
