# Who waits for goroutines to finish waits, with the state of one that waits for a mutex; the other is blocked.
# file: tests/fuzz/corpus/stacks/go_waitgroup
threads | select name state
