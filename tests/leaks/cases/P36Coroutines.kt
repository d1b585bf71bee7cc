/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import kotlinx.coroutines.*

/** Coroutines that wait for an answer that never comes, each with its order in a local variable. */
object P36Coroutines {
    class Order(val number: Int) { val form = ByteArray(400) }
    object Desk {
        val answer = CompletableDeferred<String>()
        suspend fun handle(i: Int) { val order = Order(i); val text = answer.await(); print(text + order.number) }
    }
    @JvmStatic fun main(a: Array<String>) {
        for (i in 0 until 20000) GlobalScope.launch { Desk.handle(i) }
        Thread.sleep(2000)
        println("READY"); Thread.sleep(600000)
    }
}
