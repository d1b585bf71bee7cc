# Bitmaps whose pixels are in the Java heap.
# heap: bitmaps15
bitmaps | select object bytes width height format confidence copies storage waste why_empty
bitmaps | sum bytes retained waste
bitmaps | group format : count, sum bytes | sort format
bitmaps | where sure < 100 | select object format sure
bitmaps RGB_565 | where sure < 100 | count
bitmaps 565 | select object format stride | where format = RGB_565
bitmaps alpha | head 1 | select object bytes width height format confidence copies storage waste
bitmaps rgb
bitmaps 'RGB_565' | select object bytes width height format confidence copies storage waste why_empty
bitmaps x565
bitmaps 565 4444
bitmaps | where recycled | select object lack
bitmaps | where mWidth = 9999 | select object mWidth mName class
bitmaps | where width > height | fields | where name = mHeight | group value : count
bitmaps | head 2 | path | select depth field class
bitmaps | group holder : count
columns bitmaps
help png
bitmaps | png
bitmaps | png a b
bitmaps | png a RGB_565 more
bitmaps | png ''
bitmaps | select width | png a
bitmaps | png a | count
duplicates bitmaps | select kind value length copies waste
bitmaps | where waste > 0 | select object waste
