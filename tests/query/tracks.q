tracks
metrics cpu | where use > 50 | sort -delta | head 3
states main | sort -wall | head 3
states | group thread state : count, sum wall, sum cpu
states main | where class = sleeping | sort -wall | head 1 | during
spans main | top 1 wall | during states
spans main | top 2 wall | during metrics
spans main | top 3 wall | select method wall cpu off use note
