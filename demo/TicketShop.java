/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
 * The program behind demo.hprof.gz: a shop that sells tickets, and forgets to
 * forget.  Sessions that end stay in a static map for good (Sessions.open), each
 * with its basket and the page it was shown last.
 *
 *	javac -XDstringConcat=inline -d classes TicketShop.java
 *	jlink --add-modules java.base --output jre
 *	jre/bin/java -Xshare:off -Xint -XX:+UseSerialGC -Xmx24m -cp classes \
 *	    com.example.tickets.TicketShop
 *	jcmd PID GC.heap_dump $PWD/demo.hprof		once it says "ready"
 *	gzip -9n demo.hprof
 */
package com.example.tickets;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

class Artist {
	final String name;
	final List<Concert> concerts = new ArrayList<>();

	Artist(String name) {
		this.name = name;
	}
}

class Concert {
	final Artist artist;
	final String city;
	final int seats;
	final double price;
	final boolean[] sold;

	Concert(Artist artist, String city, int seats, double price) {
		this.artist = artist;
		this.city = city;
		this.seats = seats;
		this.price = price;
		sold = new boolean[seats];
		artist.concerts.add(this);
	}
}

class Customer {
	final long id;
	final String name;
	final String email;
	final int age;

	Customer(long id, String name, String email, int age) {
		this.id = id;
		this.name = name;
		this.email = email;
		this.age = age;
	}
}

class Order {
	final Customer customer;
	final Concert concert;
	final int[] places;
	Order next;

	Order(Customer customer, Concert concert, int[] places, Order next) {
		this.customer = customer;
		this.concert = concert;
		this.places = places;
		this.next = next;
	}
}

class Session {
	final String token;
	final Customer customer;
	final List<Order> basket = new ArrayList<>();
	byte[] page = new byte[12288];
	boolean closed;

	Session(String token, Customer customer) {
		this.token = token;
		this.customer = customer;
	}
}

/** The leak: close() marks a session, and nobody takes it out of the map. */
class Sessions {
	static final Map<String, Session> open = new HashMap<>();

	static Session begin(Customer customer) {
		Session s = new Session("s-" + open.size() + "-" + customer.id, customer);
		open.put(s.token, s);
		return s;
	}

	static void close(Session s) {
		s.closed = true;
	}
}

class Pages extends LinkedHashMap<String, SoftReference<byte[]>> {
	private static final long serialVersionUID = 1;

	byte[] of(Concert c) {
		String name = c.artist.name + "/" + c.city;
		SoftReference<byte[]> r = get(name);
		if (r == null)
			put(name, r = new SoftReference<>(new byte[1500]));
		return r.get();
	}
}

class Clerk implements Runnable {
	final String desk;
	final List<Concert> concerts;
	final List<Customer> customers;
	final CountDownLatch done;
	final Object never;
	final ArrayDeque<Order> recent = new ArrayDeque<>();

	Clerk(String desk, List<Concert> concerts, List<Customer> customers, CountDownLatch done, Object never) {
		this.desk = desk;
		this.concerts = concerts;
		this.customers = customers;
		this.done = done;
		this.never = never;
	}

	@Override
	public void run() {
		int seed = desk.hashCode();
		Order last = null;
		for (int i = 0; i < 150; i++) {
			seed = seed * 1103515245 + 12345;
			last = sell(customers.get((seed >>> 8) % customers.size()),
			    concerts.get((seed >>> 16) % concerts.size()), last, i);
		}
		waitForCustomers(last);
	}

	Order sell(Customer customer, Concert concert, Order last, int i) {
		Order o = new Order(customer, concert, new int[] { i % concert.seats, (i + 1) % concert.seats }, last);
		for (int place : o.places)
			concert.sold[place] = true;
		synchronized (Sessions.open) {
			Session s = Sessions.begin(customer);
			s.basket.add(o);
			Sessions.close(s);
		}
		if (recent.size() == 20)
			recent.removeFirst();
		recent.addLast(o);
		return i % 10 == 0 ? null : o;
	}

	void waitForCustomers(Order last) {
		byte[] receipt = new byte[20000];
		synchronized (never) {
			done.countDown();
			try {
				never.wait();
			} catch (InterruptedException e) {
				receipt[0] = (byte) (last == null ? 0 : 1);
			}
		}
	}
}

public class TicketShop {
	static final Pages pages = new Pages();
	static WeakReference<Customer> best;

	static List<Concert> concerts() {
		List<Concert> all = new ArrayList<>();
		for (String name : "The Heap Roots,Dominator,Null and the Pointers,Weak Referents".split(",")) {
			Artist a = new Artist(name);
			for (String city : "Lisboa,Kraków,Zürich,東京".split(","))
				all.add(new Concert(a, city, 400, 30 + city.length()));
		}
		return all;
	}

	static List<Customer> customers() {
		List<Customer> all = new ArrayList<>();
		String[] names = "Ada,Grace,Edsger,Barbara,Donald,Tony,Frances,Niklaus,Margaret,Ken".split(",");
		for (int i = 0; i < 100; i++)
			all.add(new Customer(5000 + i, names[i % 10] + " " + (char) ('A' + i / 10) + ".",
			    i % 4 == 0 ? new String("nobody@example.com") : names[i % 10] + i + "@example.com", 18 + i % 60));
		return all;
	}

	public static void main(String[] args) throws Exception {
		List<Concert> concerts = concerts();
		List<Customer> customers = customers();
		String[] desks = { "desk-north", "desk-south", "desk-online" };
		CountDownLatch done = new CountDownLatch(desks.length);
		Object never = new Object();

		for (Concert c : concerts)
			pages.of(c);
		best = new WeakReference<>(customers.get(7));
		for (String desk : desks) {
			Thread t = new Thread(new Clerk(desk, concerts, customers, done, never), desk);
			t.setDaemon(true);
			t.start();
		}
		done.await();
		synchronized (never) {
			concerts = null;	// all clerks wait now
		}
		System.out.println("ready");
		Thread.sleep(60000);
	}
}
