/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.lang.reflect.*;
import java.util.*;
/** A proxy for each set of interfaces that was ever asked for. */
public class P45Proxies {
    public interface A { } public interface B { } public interface C { } public interface D { } public interface E { } public interface F { }
    public interface G { } public interface H { } public interface I { } public interface J { } public interface K { } public interface L { }
    static final Class<?>[] ALL = { A.class, B.class, C.class, D.class, E.class, F.class, G.class, H.class, I.class, J.class, K.class, L.class };
    public static void main(String[] a) throws Exception {
        for (int mask = 1; mask < 4096; mask++) {
            List<Class<?>> some = new ArrayList<>();
            for (int i = 0; i < ALL.length; i++) if ((mask >> i & 1) != 0) some.add(ALL[i]);
            Proxy.newProxyInstance(P45Proxies.class.getClassLoader(), some.toArray(new Class<?>[0]), (p, m, v) -> null);
        }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
