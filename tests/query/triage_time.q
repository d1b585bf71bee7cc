# Rows of icecore triage about traces: their methods, and these in two builds.
# make: triagemake.py 2 14
dumps | select path worst busiest hot_path hot_share weight wait wait_in story main_blocks main_longest elapsed
methods | head 4 | select path self_pct total_pct method
changes | select method verdict share_after share_before q what
changes | where verdict = slower | select app weight after before files_after files_before p
findings | where kind = 'main blocked' | head 2 | select path wall percent retained
groups | select kind holder dumps builds
dumps | where wait > 120ms | group build : count, max hot_share as most
overview | select line value share subject
