# Spending is compared with spending, though the second file by itself shows earnings.  Scaled to the same total, it is 15.
# dir: recordsmake.py
# args: --path Payee --weight Amount DIR/jan.csv
# open: feb.csv
methods | diff | select name self self_before
methods | event in | diff | select name self self_before
methods | diff normalised | select name self self_before self_delta
