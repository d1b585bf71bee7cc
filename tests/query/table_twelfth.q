# A day 12 may be a month: such dates do not say that months come first.
# file: tests/fuzz/corpus/table/twelfth
# args: --path date:month --weight amount
methods | select name self
