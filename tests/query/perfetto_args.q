# Args of track events in Perfetto traces: nested, of an end, of names with numbers, in compressed packets.
# file: tests/fuzz/corpus/perfetto/args_compressed
spans | where detail ~ /./ | select method detail
async_spans | where detail ~ /async/ | select name detail
marks | where detail ~ /./ | select name detail
calls | where detail ~ /rect/ | select method detail
