# Objects without a strong path, where nothing else has asked how strongly objects are held.
# heap: heap
# args: --refs strong
leaktrace @278 @279 @281 @284 @32 | select text
