# file: demo/recipes.pftrace.gz
# args: -o table
# The demo: the start waits for a lock, whose owner waits for the disk.  Then frames are late because the main thread decodes images.
async | where name ~ /launching/ | select name count total
waits example.recipes | top 3 wall | select state wall waiting_in waker_or_end
waits DiskCache | group state : count, sum wall | sort -sum_wall
methods | where method ~ /^(monitor|GC|binder|Open|decode)/ | select method calls total_wall | sort -total_wall
async_spans | where cat ~ /Missed/ | select name cat process start_wall wall | top 5 wall
processes | sort -cpu | select name threads cpu disk frames late_frames
processes | range 1.1s 3s | top 3 cpu | select name cpu frames late_frames
tasks | top 5 cpu | select name process pid cpu
tasks | group process : count, sum run_queue | top 3 sum_run_queue
threads | where process = com.example.recipes | select name process
counters | where process ~ /recipes/ or counter ~ /cpufreq/ | select counter process points min max
marks | select time name thread process cat
spans | where process ~ recipes and wall > 100ms | group process thread : count, max wall
waits | where not idle and process ~ recipes | group process state : count, sum wall
states | where process ~ photos and class = running | group process : sum wall
waits example.recipes | top 1 wall | blame | group process state : count, sum wall | sort -sum_wall
flows | group cat name : count, max delay
flows | where cat = binder | group from_thread to_thread from to : count
