# A format of its own for an answer.
threads | select name wall | format json
threads | select name wall | format csv
threads | select name wall | format table
merged | where depth < 2 | format folded
threads | select name wall
