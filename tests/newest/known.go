// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later

// known FOLDER: heavy works three times as long as light; profiles of CPU, heap and goroutines.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

var blocks [][]byte

//go:noinline
func heavy(rounds int) (total int) {
	for i := 0; i < 3*rounds; i++ {
		total += i * i % 7
	}
	return total
}

//go:noinline
func light(rounds int) (total int) {
	for i := 0; i < rounds; i++ {
		total += i * i % 7
	}
	return total
}

//go:noinline
func keep() {
	for i := 0; i < 64; i++ {
		blocks = append(blocks, make([]byte, 1<<20))
	}
}

func idle(never chan int) {
	<-never
}

func write(folder, name string, debug int) {
	to, err := os.Create(fmt.Sprintf("%s/%s.%d", folder, name, debug))
	if err != nil {
		panic(err)
	}
	if err := pprof.Lookup(name).WriteTo(to, debug); err != nil {
		panic(err)
	}
	to.Close()
}

func main() {
	folder := os.Args[1]
	to, err := os.Create(folder + "/cpu")
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(to); err != nil {
		panic(err)
	}
	total := 0
	for begun := time.Now(); time.Since(begun) < 2*time.Second; {
		total += heavy(1000000) + light(1000000)
	}
	pprof.StopCPUProfile()
	to.Close()
	keep()
	never := make(chan int)
	for i := 0; i < 7; i++ {
		go idle(never)
	}
	time.Sleep(100 * time.Millisecond)
	runtime.GC()
	write(folder, "heap", 0)
	write(folder, "allocs", 0)
	write(folder, "goroutine", 0)
	write(folder, "goroutine", 1)
	write(folder, "goroutine", 2)
	fmt.Println(runtime.NumGoroutine(), len(blocks), total)
}
