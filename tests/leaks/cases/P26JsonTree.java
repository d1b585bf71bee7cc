/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Answers of a service as trees of maps, lists, texts and numbers, kept in a list. */
public class P26JsonTree {
    static final List<Object> ANSWERS = new ArrayList<>();
    static Object tree(int depth, int n) {
        if (depth == 0) return n % 3 == 0 ? (Object) ("text " + n) : n % 3 == 1 ? (Object) (double) n : (Object) (n % 2 == 0);
        if (depth % 2 == 0) { List<Object> l = new ArrayList<>(); for (int i = 0; i < 4; i++) l.add(tree(depth - 1, n * 5 + i)); return l; }
        Map<String, Object> m = new LinkedHashMap<>();
        for (int i = 0; i < 5; i++) m.put("key" + i, tree(depth - 1, n * 7 + i));
        return m;
    }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 150; i++) ANSWERS.add(tree(5, i));
        System.out.println("READY"); Thread.sleep(600000);
    }
}
