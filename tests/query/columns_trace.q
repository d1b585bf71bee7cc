# The golden answers that show all columns of a source: method traces.  Others select those that they are about.
callees * | head 2
callers * | head 2
calls | head 2
inverted | head 2
merged | head 2
methods | head 2
metrics | head 2
overview | head 2
process_calls | head 2
records | head 2
spans | head 2
states | head 2
threads | head 2
tracks | head 2
waits | head 2
presets | head 2
