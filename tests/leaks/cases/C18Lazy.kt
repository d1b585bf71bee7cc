/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** Tables that are read once, by lazy, and a companion object with constants. */
class C18Lazy {
    data class Country(val code: String, val names: Map<String, String>)
    companion object {
        val COUNTRIES by lazy { List(250) { i -> Country("C" + i, (0 until 40).associate { "l" + it to "name " + it + " of " + i }) } }
        val RATES = DoubleArray(2000) { it / 7.0 }
        @JvmStatic fun main(a: Array<String>) { println(COUNTRIES.size + RATES.size); println("READY"); Thread.sleep(600000) }
    }
}
