# PyTorch: kernels, CPU operators and the idle time of GPUs are apart; the recording and its steps are async slices.
# dir: chromemake.py
# open: torch-1.json
overview | select line value share subject
info | where field ~ /gpu/
threads | select tid pid name process calls wall
async | select name cat process count total max
async_spans | where name = 'GPU idle' | top 3 wall | select process start_wall wall
methods | select method calls self_wall
