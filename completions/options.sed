# What --help says of an option in one line, though it may be shown in several.
:join
$!N
s/\n \{19,\}/ /
tjoin
P
D
