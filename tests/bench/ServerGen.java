/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ServerGen FILE SCALE: dumps a heap like that of a server: sessions with small maps of strings and boxed numbers, a cache of
 * strings, a deep list whose items are shared, a wide array.  A scale of 1000 makes a dump of about 800 MB.
 */
import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public class ServerGen {
	static class Session {
		String id;
		Map<String, Object> attributes = new HashMap<>();
		Session next;
		Object[] stack;
		long at;
	}

	static class Node {
		Node next;
		Object payload;
		int n;
	}

	static final Map<String, Session> SESSIONS = new HashMap<>();
	static final Map<Integer, String> CACHE = new HashMap<>();
	static final List<Object> BUFFERS = new ArrayList<>();
	static Node list;
	static Object[] wide;

	static Object attribute(Random random, Session last) {
		switch (random.nextInt(5)) {
		case 0:
			return Integer.valueOf(1000 + random.nextInt());
		case 1:
			return Long.valueOf(random.nextLong());
		case 2:
			if (last != null)
				return last;
		}
		return "value " + random.nextInt(100000);
	}

	static void sessions(Random random, int count) {
		Session last = null;

		for (int i = 0; i < count; i++) {
			Session session = new Session();
			session.id = "sess-" + Long.toHexString(random.nextLong());
			for (int n = 2 + random.nextInt(6); n > 0; n--)
				session.attributes.put("attr.name." + random.nextInt(40), attribute(random, last));
			session.next = random.nextInt(3) == 0 ? last : null;
			last = session;
			SESSIONS.put(session.id, session);
		}
	}

	static void nodes(int count) {
		Object shared = "leaf";

		for (int i = 0; i < count; i++) {
			Node node = new Node();
			node.next = list;
			node.n = i;
			if ((i & 3) == 0)
				node.payload = shared;
			else if ((i & 3) == 1 && list != null && list.next != null)
				node.payload = list.next;
			else
				node.payload = new int[] { i };
			list = node;
		}
	}

	public static void main(String[] args) throws Exception {
		int scale = Integer.parseInt(args[1]);
		Random random = new Random(7);

		sessions(random, scale * 500);
		for (int i = 0; i < scale * 1500; i++)
			CACHE.put(i, "cached string number " + i);
		nodes(scale * 1000);
		wide = new Object[scale * 2000];
		for (int i = 0; i < wide.length; i++)
			wide[i] = (i & 1) == 0 ? new Object() : wide[i - 1];
		for (int i = 0; i < scale * 10; i++)
			BUFFERS.add(new byte[random.nextInt(4000)]);
		new File(args[0]).delete();
		ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
	}
}
