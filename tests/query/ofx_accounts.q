# A list of accounts: no statements, but not an empty answer.
# file: tests/fuzz/corpus/ofx/accounts
accounts
info | where field ~ /^(format|statements|accounts_listed|request|loss)/
overview
balance_check
elements | where name in (ACCTID, SVCSTATUS) | select path value
