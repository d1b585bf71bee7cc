# A method trace and bank statements have nothing that could be compared.
# args: SRC/demo/money_before.ofx.gz
methods | diff
