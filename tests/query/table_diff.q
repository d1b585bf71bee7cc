# Columns of tables in a diff, which are not known before there are files.
# dir: recordsmake.py
# args: DIR/before.csv
# open: after.csv
records | diff id | sort -n_delta
records | diff id | where n_delta > n_before*2 or 'Net Price_delta' > 5 | select id n n_before
records | diff id | where change != removed | group change : sum n_delta | sort -sum_n_delta
records | union (records) | diff id | top 1 abs(n_delta)
records | diff id | where m_delta > 3
calls | diff | where any ~ x and m_delta > 3
