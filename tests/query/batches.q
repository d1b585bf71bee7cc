# file: demo/sched.txt.gz
# Few rows of many, far from each other: what is empty in some of them is a number in others.
records | where row in (1,2,3,882) | where raw = 4 | select row raw
records | where row in (1,2,3,882) | where raw >= 8 | select row raw
records | where row in (1,2,3,882) | where raw != 4 | select row raw
records | where row in (1,2,3,882) | where raw <= 8 | select row raw
records | where wall < 20ms or row = 884 | where raw = 4 | count
records | where row in (1,2,3,882) | tail 4 | where raw >= 8 | select row raw
