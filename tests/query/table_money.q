# args: --as table --path Konto,4:month,2 --weight Betrag
# file: tests/fuzz/corpus/table/bank
info
events
calls
calls | event in | select method samples self total
calls | event count | select method samples self total
columns
records
