# Calls in time order.
spans main from 1ms to 3ms | head 5
spans main min 2ms | head 5
spans main to 1ms | count
spans * min 5ms | select thread method wall | head 6
