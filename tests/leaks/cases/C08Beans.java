/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*; import java.util.concurrent.*;
/** The registry of a container: 4 000 beans of many kinds, with definitions, a logger and the beans they use. */
public class C08Beans {
    static class Definition { final String name, scope = "singleton"; final Map<String, Object> attributes = new LinkedHashMap<>(); Definition(String n) { name = n; for (int i = 0; i < 5; i++) attributes.put("attribute" + i, n + i); } }
    static class Bean { final String name; final List<Bean> uses = new ArrayList<>(); Bean(String n) { name = n; } }
    static class Service extends Bean { Service(String n) { super(n); } final Map<String, String> messages = new HashMap<>(); }
    static class Controller extends Bean { Controller(String n) { super(n); } final byte[] template = new byte[200]; }
    static class Repository extends Bean { Repository(String n) { super(n); } final List<String> columns = new ArrayList<>(List.of("id", "name", "state")); }
    static class Context { final Map<String, Definition> definitions = new ConcurrentHashMap<>(); final Map<String, Object> singletons = new ConcurrentHashMap<>(); }
    static final Context CONTEXT = new Context();
    public static void main(String[] a) throws Exception {
        Random r = new Random(3); List<Bean> all = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            String n = "bean" + i; CONTEXT.definitions.put(n, new Definition(n));
            Bean b = i % 3 == 0 ? new Service(n) : i % 3 == 1 ? new Controller(n) : new Repository(n);
            for (int k = 0; k < 3 && i > 3; k++) b.uses.add(all.get(r.nextInt(all.size())));
            all.add(b); CONTEXT.singletons.put(n, b);
        }
        all = null;
        System.out.println("READY"); Thread.sleep(600000);
    }
}
