# The golden answers that show all columns of a source: heap dumps.  Others select those that they are about.
# heap: heap
classes | head 2
collections | head 2
components | head 2
dominators | head 2
duplicates | head 2
findings | head 2
frames | head 2
histogram | head 2
loaders | head 2
locals | head 2
names | head 2
objects | head 2
roots | head 2
strings | head 2
threads | head 2
referrers @48 | head 2
refs @48 | head 2
path @4 | head 2
paths @40 2 | head 2
dominated @7 | head 2
instances java.lang.String | head 2
entries @57 | head 2
fields @48 | head 2
raw @4 | head 2
objects com.example.Node | merge_paths | head 2
objects com.example.Node | head 1 | leaktrace | head 2
superclasses com.example.Derived | head 2
subclasses com.example.Base | head 2
dominator @48 | head 2
retained @48 | head 2
chains @48 | head 2
