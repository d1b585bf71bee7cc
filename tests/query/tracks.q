tracks | select track kind thread points max unit
metrics cpu | where use > 50 | sort -delta | head 3 | select track start_wall wall value delta utilisation
states main | sort -wall | head 3 | select state start_wall wall cpu class
states | group thread state : count, sum wall, sum cpu
states main | where class = sleeping | sort -wall | head 1 | during | select row thread depth method start_wall wall overlap percent
spans main | top 1 wall | during states | select row thread state start_wall wall overlap
spans main | top 2 wall | during metrics | select row track thread start_wall wall value
spans main | top 3 wall | select method wall cpu off use note
