# heap: heap
overview
