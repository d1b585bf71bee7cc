# Elements that no other source shows are a loss; an empty one has no children.
# file: tests/fuzz/corpus/ofx/profile
info | where field ~ /^(format|unknown|loss)/
overview | select line value subject
elements | tail 6 | select path value
