# args: -o tsv --clock cpu
methods | sort -self -total id | select id self total | head 5
methods | sort -total | head 1 | callees | select method calls self_wall total_wall percent
