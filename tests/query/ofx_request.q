# A request to a bank: what it asks for; the password is not shown.
# file: tests/fuzz/corpus/ofx/request
info | where field ~ /^(format|request|loss)/
overview | select line value subject
elements | select path value
accounts | count
