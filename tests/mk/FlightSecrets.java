/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
package com.initech.payroll;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/* A program whose recording has secrets in all places that a program can write to.  Arguments: a folder, and words. */
class FlightSecrets {
	@MetadataDefinition
	@Retention(RetentionPolicy.RUNTIME)
	@Label("annolabel-hunter2")
	@interface Audit {
		String team() default "annoteam-hunter2";
		int grade() default 7;
		boolean strict() default true;
	}

	@Name("initech.SalaryEvent")
	@Label("eventlabel-hunter2")
	@Description("eventdescription-hunter2")
	@Category({"Initech Category", "Payslips"})
	@Audit
	@StackTrace(true)
	@Threshold("0 ms")
	static class Salary extends Event {
		@Label("fieldlabel-hunter2")
		@Description("fielddescription-hunter2")
		String employeeName;
		String shortText;
		long cardNumber;
		int pinCode;
		double wage;
		float bonus;
		char grade;
		short small;
		byte tiny;
		boolean vip;
		Thread worker;
		Class<?> type;
	}

	static class VaultException extends RuntimeException {
		VaultException(String s) {
			super(s);
		}
	}

	static volatile double sink;

	static void computeSalary(long end) {
		while (System.nanoTime() < end)
			for (int i = 1; i < 1000; i++)
				sink += Math.sin(i) / i;
	}

	static void event(String name, String text) {
		Salary s = new Salary();

		s.begin();
		s.employeeName = name;
		s.shortText = text;
		s.cardNumber = 4111111111111111L;
		s.pinCode = 73515473;
		s.wage = 123456.789;
		s.bonus = 9876.5f;
		s.grade = 'Q';
		s.small = 31337;
		s.tiny = 77;
		s.vip = true;
		s.worker = Thread.currentThread();
		s.type = VaultException.class;
		s.commit();
	}

	static void network() throws Exception {
		ServerSocket server = new ServerSocket(0, 1, InetAddress.getByAddress("sockethost-hunter2.example", new byte[] { 127, 0, 0, 1 }));
		Thread client = new Thread(() -> {
			try (Socket s = new Socket(InetAddress.getByAddress("sockethost-hunter2.example", new byte[] { 127, 0, 0, 1 }), server.getLocalPort())) {
				s.getInputStream().read();
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}, "clientthread-hunter2");
		client.start();
		try (Socket s = server.accept()) {
			Thread.sleep(40);
			s.getOutputStream().write(65);
		}
		client.join();
		server.close();
	}

	public static void main(String[] args) throws Exception {
		String path = args[0] + "/filepath-hunter2.txt";
		Process child;

		Thread.currentThread().setName("mainthread-hunter2");
		System.setProperty("late.property", "lateproperty-hunter2");
		event("employee-hunter2", "short");
		event("employee-hunter2-Zo\u00eb-Gr\u00f6\u00dfe", "wide-hunter2-\u03b1\u03b2\u4e2d");
		event("a longer text of an employee-hunter2 that goes to the pool of strings", "pool");
		event("a longer text of an employee-hunter2 that goes to the pool of strings", "pool");
		try (FileOutputStream out = new FileOutputStream(path)) {
			out.write(new byte[1 << 20]);
		}
		try (FileInputStream in = new FileInputStream(path)) {
			in.read(new byte[1 << 20]);
		}
		network();
		for (int i = 0; i < 20; i++)
			try {
				throw new VaultException("exceptionmessage-hunter2 " + i);
			} catch (VaultException e) {
				sink += 1;
			}
		child = new ProcessBuilder("/bin/echo", "childargument-hunter2").start();
		child.waitFor();
		Runnable secret = () -> computeSalary(System.nanoTime() + 300_000_000);
		Thread t = new Thread(new ThreadGroup("threadgroup-hunter2"), secret, "workerthread-hunter2");
		t.start();
		computeSalary(System.nanoTime() + 300_000_000);
		t.join();
		System.gc();
	}
}
