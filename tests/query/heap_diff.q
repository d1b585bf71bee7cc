# dir: heaptwo.py
# args: DIR/before.hprof
# open: after.hprof
classes | diff | where retained_delta != 0 or change != kept | sort -retained_delta | select name loader objects objects_before objects_delta retained retained_before retained_delta change
classes | diff | where change = removed | select name objects objects_before objects_delta
classes | where name ~ com.example | diff | sum retained_delta shallow_delta
histogram | diff | head 6 | select name objects objects_before objects_delta change
histogram | diff | where shallow_delta < 0 | select name shallow_delta
histogram | diff | where change = added | select name objects objects_before objects_delta change
loaders | diff | select class objects objects_before objects_delta change
threads | diff | select name retained retained_before retained_delta change
threads | diff | select name found
findings | diff | select kind class retained_delta change
info | diff | where value_delta != 0 | select field value value_before value_delta
objects | group class : count, sum shallow | diff class | sort -sum_shallow_delta | head 3
objects | where shallow > 50 | group class : count | diff class
roots | group kind | diff kind
classes | diff name | where name ~ Plugin | select name retained retained_before retained_delta change
classes | diff | instances
objects | diff
classes | diff | diff
classes | diff nme
classes | diff normalised
classes | select objects | diff
classes | select name loader retained, shallow as retained_before | diff
diff
classes | diff | sort -abs(retained_delta) | head 7 | select name retained_delta change
classes | diff | sort abs(objects_delta), -name | tail 3 | select name objects_delta
classes | diff | top 2 abs(retained_delta) | select name retained_delta abs(retained_delta)
classes | diff | top 1 abs(retained_delta) per change | select name change retained_delta
classes | diff | where abs(retained_delta) > 600 and not (abs(objects_delta) < 5) | select name 2*abs(objects_delta - 1) as twice, 7-abs(0 - objects_delta)
classes | diff | where retained_before is null | select name retained
classes | diff | sort abs(name)
classes | diff | sort abs(retained_delta
classes | diff | sort -abs()
classes | diff | select abs(name)
