# A list of accounts: no statements, but not an empty answer.
# file: tests/fuzz/corpus/ofx/accounts
accounts | select kind id currency ledger transactions state
info | where field ~ /^(format|statements|accounts_listed|request|loss)/
overview | select line value subject
balance_check | select account transactions sum ledger opening verdict
elements | where name in (ACCTID, SVCSTATUS) | select path value
