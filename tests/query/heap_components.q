# Packages, class loaders and classes, with what each retains.
# file: demo/demo.hprof.gz
components | top 5 retained | select component classes objects retained findings
components loader | select component classes objects retained id
components class | where component ~ tickets | select component objects retained
components package | sum shallow
components | where waste > 1k or findings > 0 | select component waste findings
components loader | select component waste findings
strings | where object in (duplicates strings | head 10 | copies | select id) | group holder: count | top 5 count
strings | where holder != null | head 3 | select value holder owner
components | diff
components jar
dominators | format tree
dominators | head 3 | where retained > 30k | format tree
dominators | select class | format tree
