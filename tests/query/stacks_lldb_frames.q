# Frames of lldb that somebody copied without the lines of their threads: each frame #0 begins a stack.
# file: tests/fuzz/corpus/stacks/lldb_frames
threads | select dump id state depth top
stack 1 | select frame place
info | where field ~ /unread|loss/
