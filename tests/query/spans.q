# Calls in time order.
spans main from 1ms to 3ms | head 5 | select depth method start_wall wall start_cpu cpu
spans main min 2ms | head 5 | select depth method start_wall wall start_cpu cpu
spans main to 1ms | count
spans * min 5ms | select thread method wall | head 6
