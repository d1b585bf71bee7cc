# dir: schedtwo.py
# args: DIR/before.txt
# open: after.txt
tasks | diff | sort -on_delta | select name on on_before on_delta in in_before in_delta found
tasks | diff | where change = added | select name cpu cpu_before
tasks | where on > 1ms | diff | sum on_delta
threads | diff | sort -cpu_delta | select name cpu cpu_before cpu_delta calls calls_before found
cpus | diff | select cpu busy busy_before busy_delta use use_before use_delta found
cpus | diff | where busy_delta < 0 | count
switches | diff
tasks | diff | diff
tasks | diff | sort -abs(cpu_delta) | head 3 | select name cpu_delta abs(cpu_delta)
cpus | diff | top 2 abs(utilisation_delta) | select cpu utilisation_delta abs(utilisation_delta)
