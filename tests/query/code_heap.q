# Bytecode beside a heap dump: which methods may have made the Cursors that are open.
# heap: leaks
# args: --classes SRC/demo/notes.jar
findings cursor | select class why
findings cursor | head 1 | bugs | select method line why
findings activity | where class = none | bugs | count
bugs | count
findings cursor | tail 1 | bugs | count
findings activity | bugs | count
methods | retained
bugs | referrers
names | select id | retained
findings | group kind : max object as object | retained | count
