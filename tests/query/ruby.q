# A heap dump of Ruby: a class that keeps its objects, a finalizer that nothing in the file holds, garbage.
# file: tests/fuzz/corpus/ruby/catalog
info
classes | select name super objects shallow retained live
roots | select object kind class
objects Shop::User | head 3 | select class kind heap alloc_site method generation age
objects Shop::User | head 1 | fields | select name type value object class
objects Hash | fields | head 5 | select name type value object class
sites | select site method class objects live
strings | select value length copies waste | head 4
duplicates | select kind value length copies arrays waste
findings | select what why path
paths @40 | select path depth field object class target
fields @14 | head 3 | select name type value object class
referrers @14 | select name object class retained strength target
