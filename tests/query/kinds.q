# Words for heap dumps, asked of a trace.
histogram
objects com.example.User
threads | where frames > 3
threads | retained
threads | where wall > 1us | count
classes | callers
methods | where retained > 1k
columns threads | head 3
help retained | where kind = usage
help info | where kind = usage
info | where field = live_bytes
