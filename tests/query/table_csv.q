# args: --path url:dir,status --weight bytes --time time
# file: tests/fuzz/corpus/table/access.csv
info
events | select name kind samples weight unit
calls | select depth method self total
methods | top 3 total | select name self total
calls | range 0s 1.1s | select method samples self total
columns
columns records
records
records | where status >= 400 | select line url status
records | group status count sum bytes | sort -count | columns
records | group status count sum ms | sort -count
