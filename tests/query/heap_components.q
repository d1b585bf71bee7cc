# Packages, class loaders and classes, with what each retains.
# file: demo/demo.hprof.gz
components | top 5 retained
components loader | select component classes objects retained id
components class | where component ~ tickets | select component objects retained
components package | sum shallow
components | diff
components jar
