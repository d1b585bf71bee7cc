# args: --as table --path Konto,4:month,2 --weight Betrag
# file: tests/fuzz/corpus/table/bank
info
events | select name kind samples weight unit current
calls | select depth method self total
calls | event in | select method samples self total
calls | event count | select method samples self total
columns
records
