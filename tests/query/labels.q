# Labels of samples: sets, values, trees and filters; and what is not there.
# make: pprofmake.py labels
labels | select labels samples total
labels | where label.service = users | select labels samples total label.service
labels | group label.service : sum total, sum samples
labels | where "label.http.route" ~ /a/ | select id labels
labels | where label.size = '64 bytes' or label.bytes = 512 | select id label.size label.bytes
labels | columns | where name ~ label
labels | event samples | label service users | select labels samples total
labels | label service /users/ | label priority bg | select labels samples total
labels | keep main
labels | where label.nothing = 1
calls | per label.service | where depth = 0 | select thread method total
calls | per labels | where depth = 0 | select thread method total
merged | label service carts | select depth method self total
threads | per label.tag | select name samples total
methods | label label.service users | select name self
methods | label service nobody
methods | label nothing x
methods | label service
methods | label
calls | per label.nothing
calls | per label
