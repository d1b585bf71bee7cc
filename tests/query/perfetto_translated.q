# A translation table, wherever it stands, names track events; the last of two counts.
# dir: perfettocases.py
# open: translated.pftrace
spans | select method start_wall wall
async_spans | select name
marks | select name
info | where field ~ /unread/ | select field value
