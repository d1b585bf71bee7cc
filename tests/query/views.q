# dir: viewsmake.py
# open: before.folded
calls | hide /^java\./
calls | hide org.logback.*
calls | hide 'main' | head 3
threads | hide *
calls | keep logback
merged | drop /logback/i | drop Cache
calls | fold /^java\.util\.HashMap/ | where method ~ HashMap
calls | fold logback | where method ~ logback
methods | by class | sort -self
methods | by package | sort -self
calls | by package
calls | by class | by method | count
calls | hide /^java\./ | hide app.db.* | keep logback | by class
# Rules go one after the other: nothing is left to be kept.
calls | hide logback | keep logback
calls | keep logback | hide logback
inverted | hide java.* | where depth = 0
methods | hide /^java\./ | where name ~ Store | callers
calls | hide /^java\./ | where method ~ info | parents
# The stacks through a frame, and what they cost on which threads.
calls | where any ~ /^org\.logback/ | select method any
calls | where any = 'app.db.Store.load' and any !~ hash | select method self
calls | where any ~ /logback/ | format folded
merged | where any ~ *Store.save | select depth method
methods | where name ~ logback | threads
calls | where method = 'java.io.Writer.write' | threads
threads | calls | where depth = 2
threads | where id = 1 | methods | top 3 total
threads | where id > 5 | merged
threads | where id = 1 | calls | by package | head 2
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
