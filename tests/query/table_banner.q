# JSON lines below a line of text.
# dir: recordsmake.py
# open: banner.jsonl
records
info | where field in (format, loss.bad_json)
