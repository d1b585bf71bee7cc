# Two years of statements.
# args: SRC/demo/money_before.ofx.gz
# file: demo/money.ofx.gz
transactions | group payee currency : sum amount | diff payee | sort sum_amount_delta | head 5
methods | diff | sort -self_delta | head 5 | select name self self_before self_delta
transactions | group payee currency: sum amount | diff payee | top 2 abs(sum_amount_delta) | select payee sum_amount_delta
