# Lists, maps and sets, and their owners.
# heap: lists
collections java.util.ArrayList | select object class size capacity waste
collections | where size = 0 | group class : count, sum waste | sort -count | head 4
collections | group holder : count, sum waste as waste | sort -waste | head 3
collections | where collisions > 50 | select object class size capacity collisions
collections /HashSet$/ | select object class size capacity fill waste holder owner table
collections com.example.* | select class size capacity retained shallow
columns collections
collections java.lang.String | select object class size capacity waste
collections java.util.Nothing
