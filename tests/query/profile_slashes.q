# Names of Java with slashes, and paths, URLs and packages of Go, which have no class of Java.
# args: --as folded
# make: foldedmake.py slashes
methods | sort id | select name
methods | where name ~ "java.lang" | count
