# heap: heap
overview | select line value share subject opens
