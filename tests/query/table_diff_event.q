# What was spent is compared with what was spent, though the second file by itself shows what was earned.
# dir: recordsmake.py
# args: --path Payee --weight Amount DIR/jan.csv
# open: feb.csv
methods | diff | select name self self_before
methods | event in | diff | select name self self_before
