# A time is converted by the last snapshot that is not later, even at the moment of a snapshot.
# dir: perfettocases.py
# open: drift.pftrace
spans | select method start_wall wall
