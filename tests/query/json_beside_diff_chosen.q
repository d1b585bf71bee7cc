# The event was chosen for both files.
# dir: chromemake.py
# args: --event cpu-samples DIR/profile-beside-two.json
# open: profile-chunks.json
methods | diff | select name self_after self_before
threads | diff | select name total total_before total_delta
calls | event 'cpu-samples 0x2' | file 1 | where self > 0 | select method self
