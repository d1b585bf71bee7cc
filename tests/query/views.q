# dir: viewsmake.py
# open: before.folded
calls | hide /^java\./ | select depth method self total
calls | hide org.logback.* | select depth method self total
calls | hide 'main' | head 3 | select depth method self total
threads | hide * | select tid name samples total
calls | keep logback | select depth method self total
merged | drop /logback/i | drop Cache | select depth method self total
calls | fold /^java\.util\.HashMap/ | where method ~ HashMap | select depth method self total
calls | fold logback | where method ~ logback | select depth method self total
methods | by class | sort -self | select name self total
methods | by package | sort -self | select name self total package
calls | by package | select depth method self total package
calls | by class | by method | count
calls | hide /^java\./ | hide app.db.* | keep logback | by class | select depth method self total
# Rules go one after the other: nothing is left to be kept.
calls | hide logback | keep logback | select depth method self total
calls | keep logback | hide logback | select depth method self total
inverted | hide java.* | where depth = 0 | select depth method self total
methods | hide /^java\./ | where name ~ Store | callers | select method self total percent
calls | hide /^java\./ | where method ~ info | parents | select depth method self total
# The stacks through a frame, and what they cost on which threads.
calls | where any ~ /^org\.logback/ | select method any
calls | where any = 'app.db.Store.load' and any !~ hash | select method self
calls | where any ~ /logback/ | format folded
merged | where any ~ *Store.save | select depth method
methods | where name ~ logback | threads | select tid name samples total
calls | where method = 'java.io.Writer.write' | threads | select tid name samples total
threads | calls | where depth = 2 | select depth method self total
threads | where id = 1 | methods | top 3 total | select name self total
threads | where id > 5 | merged | select depth method self total
threads | where id = 1 | calls | by package | head 2 | select depth method self total package
# Mistakes.
hide x
calls | hide
calls | hide x y
calls | hide /(/
calls | where depth = 0 | hide x
info | hide x
calls | by foo
calls | by class file
calls | range 1s
calls | range 2s 1s
calls | range 1s 2s
calls | event nothing
calls | event
calls | diff
calls | diff foo
calls | file 2
calls | file 0
threads | select name | calls
calls | select method | threads
calls | merged
