# Flows of PyTorch to kernels and to waits for a GPU.
# make: jsonmake.py gpu_waits
flows | select from to whole start delay to_thread
async_spans | select name start_wall wall
