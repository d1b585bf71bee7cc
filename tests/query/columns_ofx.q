# The golden answers that show all columns of a source: bank statements.  Others select those that they are about.
# file: tests/fuzz/corpus/ofx/plain
accounts | head 2
balance_check | head 2
balances | head 2
elements | head 2
transactions | head 2
