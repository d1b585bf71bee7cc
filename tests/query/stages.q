# Stages in all orders.
threads | sort -calls name | select name calls
threads | sort name | tail 2 | select name
records | where action != enter | head 3 | select row action
records | where action = exit | count
calls | sort -depth -total id | head 3 | select id depth total
calls | where total > 1us and not (method ~ /get|set/i or depth < 2) | head 4 | select id method total
methods | where class = android* and calls in (1, 2, 3) | count
methods |
# a comment between
  sort -calls id | head 2 |
  select method calls
methods | similar method 4 | head 3
calls | similar method 8 | head 3
methods | similar calls
methods | similar method 0
methods | similar method 1 2
