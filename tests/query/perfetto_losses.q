# Losses of the recorder of a Perfetto trace by reason, and facts about the recording.
# file: tests/fuzz/corpus/perfetto/loss_reasons
info | where field ~ /^(loss|repair|uuid|system|buffers)/
