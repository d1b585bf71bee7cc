# Samples of Sentry, whose stacks begin with the innermost frame; threads with long ids have none.
# file: tests/fuzz/corpus/json/sentry
overview | select line value share subject
calls | format folded
threads | select tid name samples start end
info | where field ~ /repair|format|unread/ and value != 0
