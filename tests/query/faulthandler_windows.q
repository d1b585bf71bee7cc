# What stands instead of a frame is read, the cause is found behind what the test runner wrote, and a file of Windows has a name.
# file: tests/fuzz/corpus/stacks/faulthandler_windows
threads | select name doing own depth cut
findings | select kind thread what
overview | where line ~ /^(not read|losses)/ | select line value subject
stack 2 | select frame place
