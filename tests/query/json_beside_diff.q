# Two traces with calls and samples: compared by their calls, or by an event that both have.
# dir: chromemake.py
# args: DIR/profile-beside-two.json
# open: profile-chunks.json
methods | diff | select method total_after total_before
methods | event cpu-samples | diff | select name self_after self_before
calls | event cpu-samples | file 2 | keep f | select depth method self
methods | event 'cpu-samples 0x2' | diff
methods | event 'cpu-samples 0x2' | file 2 | where self > 0
methods | event 'cpu-samples 0x2' | file 1 | where self > 0 | select name self
