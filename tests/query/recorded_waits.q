# Waits of a recording: idle ones wait for work, by their stacks, even in threads that also wait for locks.
# file: demo/shop.jfr.gz
waits | group waiting_in state idle : count, sum wall | sort -sum_wall
waits | where not idle | top 1 wall | select wall state waits_for waiting_in
overview | where line = 'longest wait' | select subject
