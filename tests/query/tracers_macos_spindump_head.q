# The head of spindump, its sums and its images are no lines that are missing; one line of this file is.
# file: tests/fuzz/corpus/tracers/macos_spindump_head
info | where field ~ /^(format|unread|loss|samples)/ | select field value
calls | select depth method samples
