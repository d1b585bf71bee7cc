# Fields of objects as columns, in every stage that takes columns.
# heap: heap
objects com.example.User | where name ~ /^a/ and age > 3 | select id, name, friends.size
objects com.example.User | select .id name email age active rating friends
objects com.example.User | where age > 32 | select id class length shallow retained label age
objects com.example.User | sort -age name | select name age | format table
objects com.example.User | select name active rating age*2 as twice | format json
objects com.example.User | group active : count, avg age, max name
objects com.example.User | where friends.elementData[0].name != null | select name friends.elementData[0].name as friend friends.elementData[0].class as kind
objects com.example.User | where friends.size < friends.elementData.length | count
objects com.example.User | top 3 rating | select rating retained
objects com.example.User | distinct active | select active name
objects com.example.User | sum age rating name
objects com.example.AllTypes | select zBoolean cChar fFloat dDouble bByte sShort iInt jLong lRef lRef.value as x lRef.class
objects com.example.User | columns | tail 7
objects com.example.User | where name = null or email in (null, 'x@y') or not active | select name
objects | where value.length > 1000 | select label length value.length
strings | where .value.length > 50 | select length .value .value.length
roots | where name != null | select name kind
classes | where serialVersionUID != null | select name serialVersionUID
objects | where [0] != null | select class length [0] [1].class | head 5
objects com.example.User | head 1 | refs | where value.length > 0 | select name object value.length
objects com.example.User | select friends.elementData[99] nosuch.size
objects com.example.User | where nmae = bob
objects com.example.User | sort -frends.size
objects com.example.Node com.example.User | where key = 3 or agee = 4
objects com.example.User | where abs(age - 30) > 8 | select name age
objects com.example.User | group (age > 30) : count | where 'age > 30'
objects com.example.User | sort -'age' 'name' | select 'name' | head 2
objects com.example.User | where age > name.length*5 and rating < 200% | select name age
objects com.example.User | where age != name.length * 5 and age > .rating*10+5 | select name age
info | where field in (live_bytes, live_objects) and value < 153k and value > 600 | select field value
