# Dates are compared as texts, which is reported if the year is not first; the word false is not true.
# dir: recordsmake.py
# open: words.csv
columns
records | where day < 02.01.2026 | select day
records | where day = 02.01.2026 | select day
records | sort day | select day
records | top 1 day | select day
records | max day
records | min ts
records | where ts > 2026-01-01T10:00:03Z | sort -ts | select ts
records | where ok | select line ok
records | where not ok | select line ok
records | where flag and name | select line flag name
