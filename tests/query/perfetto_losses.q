# What a recorder of Perfetto traces lost, by reason, and what it says about the recording.
# file: tests/fuzz/corpus/perfetto/loss_reasons
info | where field ~ /^(loss|repair|uuid|system|buffers)/
