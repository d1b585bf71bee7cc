# Labels of goroutines, in both places of a head.
# file: tests/fuzz/corpus/stacks/go_labels
threads | select number raw labels
threads | where label.service = users | select number label.priority
threads | columns | where name ~ label
calls | per label.service | where depth = 0 | select thread method total
calls | state running | label service users | select depth method self total
