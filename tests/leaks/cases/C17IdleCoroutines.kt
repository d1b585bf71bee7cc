/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import kotlinx.coroutines.*
import kotlinx.coroutines.channels.Channel

/** Workers that wait for work, and a channel with a bound. */
object C17IdleCoroutines {
    class Task(val number: Int) { val data = ByteArray(200) }
    object Pool {
        val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        val work = Channel<Task>(1000)
    }
    @JvmStatic fun main(a: Array<String>) {
        for (i in 0 until 2000) Pool.scope.launch { delay(600000); println(i) }
        runBlocking { for (i in 0 until 1000) Pool.work.send(Task(i)) }
        println("READY"); Thread.sleep(600000)
    }
}
