# A heap dump of Ruby: a class that keeps its objects, a finalizer that nothing in the file holds, garbage.
# file: tests/fuzz/corpus/ruby/catalog
info
classes | select name super objects shallow retained live
roots
objects Shop::User | head 3 | select class kind heap alloc_site method generation age
objects Shop::User | head 1 | fields
objects Hash | fields | head 5
sites
strings | select value length copies waste | head 4
duplicates
findings | select what why path
paths @40
fields @14 | head 3
referrers @14
