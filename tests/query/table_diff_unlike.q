# No event is in both, as the signs of amounts make them.
# dir: recordsmake.py
# args: --path Payee --weight Amount DIR/jan.csv
# open: earned.csv
methods | diff
