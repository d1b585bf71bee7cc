/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** A search tree of the program's own nodes, many levels deep. */
public class P15Tree {
    static class Node { Node left, right; final long key; final String name; Node(long k) { key = k; name = "n" + k; } }
    static class Index {
        Node root;
        void add(long k) {
            if (root == null) { root = new Node(k); return; }
            for (Node n = root;;) {
                if (k < n.key) { if (n.left == null) { n.left = new Node(k); return; } n = n.left; }
                else { if (n.right == null) { n.right = new Node(k); return; } n = n.right; }
            }
        }
    }
    static final Index INDEX = new Index();
    public static void main(String[] a) throws Exception {
        java.util.Random r = new java.util.Random(7);
        for (int i = 0; i < 120000; i++) INDEX.add(r.nextLong());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
