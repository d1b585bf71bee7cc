/*
 * The rig's real processor: the ELF in simavr, its pins on the models.  Where
 * simavr is not like the chip (SPI speed, pulled-up inputs, flow of sleep) it
 * is put right here.
 */
#include "rig_avr.h"

#include <avr_eeprom.h>
#include <avr_ioport.h>
#include <avr_spi.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <sim_interrupts.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board.h"

enum {
	RAM_START = 0x100, RAM_END = 0x900, STACK_ROOM = 700, EEPROM_BYTES = 1024,
	SPDR = 0x4e, EECR = 0x3f, GPIOR0 = 0x3e, SPL = 0x5d, PCMSK1 = 0x6c,
	EEPE = 2, VECTOR_COMPA = 11, VECTOR_BYTES = 4,
	SPI_CYCLES = 16,		/* a byte at 8 MHz */
	LOOP_FOREVER = 0xcfff,		/* rjmp to itself */
	REBOOT = 0x5a,			/* of hal_reboot: the firmware's own wish, not a bite */
	FULL_LEVEL = 16,
};

/* Runs for each instruction: without the sanitizers' checks, which the models and the firmware on the PC have. */
#define LEAN __attribute__((no_sanitize("address", "undefined"), optimize("O2")))

struct avr_rig {
	struct rig *rig;
	avr_t *avr;
	elf_firmware_t elf;
	uint64_t base;			/* rig->cycle - avr->cycle */
	uint64_t armed;			/* the rig's cycle of the timer that ends sleep; 0: none */
	bool on, resetting;		/* a reset from outside is under way */
	bool was_reset;			/* cycle timers are gone */
	uint8_t spi_out;
	avr_spi_t *spi;
	/* measured */
	uint8_t noise[RAM_END];		/* what RAM held at power-on */
	uint32_t data_end;		/* first address above the variables */
	uint32_t on_second, fw_pass;	/* addresses in flash */
	uint64_t irq_off_since;		/* 0: interrupts are on */
	bool irq_was_on;		/* since the reset */
	uint64_t mark;			/* last pass of the main loop; 0: none since the reset */
	uint64_t match, begins;		/* compare A matched; on_second was called for it */
	uint16_t patched;		/* the word of fw_pass when it hangs; 0: it does not */
};

LEAN static uint64_t rig_now(struct avr_rig *a)
{
	return a->rig->cycle = a->base + a->avr->cycle;
}

LEAN static void most(uint32_t *gate, uint64_t value)
{
	if (value > *gate)
		*gate = (uint32_t)value;
}

/* simavr gives back nothing of what it allocates. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libsimavr";
}

const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
	return "print_suppressions=0";
}

/* ---- symbols --------------------------------------------------------------- */

static bool symbol(struct avr_rig *a, const char *name, uint32_t *at)
{
	for (uint32_t i = 0; i < a->elf.symbolcount; i++) {
		if (strcmp(a->elf.symbol[i]->symbol, name) != 0)
			continue;
		*at = a->elf.symbol[i]->addr;
		return true;
	}
	return false;
}

static uint8_t *variable(struct avr_rig *a, const char *name, unsigned size)
{
	uint32_t at;

	if (!symbol(a, name, &at) || at < 0x800000U + RAM_START || at + size > 0x800000U + RAM_END)
		return NULL;
	return a->avr->data + (at & 0xffff);
}

static bool peek(struct rig *rig, const char *name, void *value, unsigned size)
{
	const uint8_t *at = variable(rig->priv, name, size);

	if (at)
		memcpy(value, at, size);
	return at != NULL;
}

static bool poke(struct rig *rig, const char *name, const void *value, unsigned size)
{
	uint8_t *at = variable(rig->priv, name, size);

	if (at)
		memcpy(at, value, size);
	return at != NULL;
}

static uint8_t byte_of(struct avr_rig *a, const char *name, uint8_t otherwise)
{
	uint8_t value = otherwise;

	peek(a->rig, name, &value, 1);
	return value;
}

/* ---- pins ------------------------------------------------------------------ */

/* A second's picture is latched: how long after its tick. */
static void second_latched(struct avr_rig *a)
{
	if (a->begins != 0 && byte_of(a, "hal_level", FULL_LEVEL) == FULL_LEVEL)
		most(&a->rig->gates.jitter, a->rig->cycle - a->begins);
	a->begins = 0;
}

static void port_d(struct avr_irq_t *irq, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;
	static const enum tubes_pin pin[8] = {
		[PIN_SR_CLOCK] = TUBES_CLOCK, [PIN_SR_CLEAR] = TUBES_CLEAR,
		[PIN_SR_LATCH] = TUBES_LATCH, [PIN_HV] = TUBES_HV,
	};

	rig_now(a);
	rig_pin(a->rig, pin[irq->irq], value);
	if (irq->irq == PIN_SR_LATCH && value)
		second_latched(a);
}

static void port_c(struct avr_irq_t *irq, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;
	uint64_t cycle = rig_now(a);

	if (irq->irq == PIN_SR_DATA)
		rig_pin(a->rig, TUBES_DATA, value);
	else if (irq->irq == PIN_WIFI_EN)
		wsim_enable(a->rig->wifi, value, cycle);
	else
		wsim_reset(a->rig->wifi, value, cycle);
	rig_tick(a->rig);
}

static void port_b(struct avr_irq_t *irq, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;

	(void)irq;
	wsim_select(a->rig->wifi, !value, rig_now(a));
	if (value)		/* what the module does next may have changed */
		rig_tick(a->rig);
}

static avr_irq_t *pin_irq(struct avr_rig *a, char port, int pin)
{
	return avr_io_getirq(a->avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin);
}

/* simavr raises all pins of a port when one is written, inputs with pull-up to 1: hold the level outside, too. */
static void irq(struct rig *rig, bool low)
{
	struct avr_rig *a = rig->priv;
	avr_ioport_external_t level = { .name = 'C', .mask = 1 << PIN_WIFI_IRQ, .value = low ? 0 : 1 << PIN_WIFI_IRQ };
	uint8_t mask = a->avr->data[PCMSK1];

	if (rig->lose_edges)
		a->avr->data[PCMSK1] = 0;
	avr_ioctl(a->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('C'), &level);
	avr_raise_irq(pin_irq(a, 'C', PIN_WIFI_IRQ), !low);
	a->avr->data[PCMSK1] = mask;
}

/*
 * All pins are inputs: pulled as on the board, floating ones low.  Through
 * simavr, which hands on only what it takes for a change.
 */
static void pins_float(struct avr_rig *a)
{
	static const uint8_t d[] = { PIN_HV, PIN_SR_CLOCK, PIN_SR_CLEAR, PIN_SR_LATCH };

	for (unsigned i = 0; i < sizeof d; i++)
		avr_raise_irq(pin_irq(a, 'D', d[i]), 0);
	avr_raise_irq(pin_irq(a, 'B', PIN_WIFI_CS), 1);
	avr_raise_irq(pin_irq(a, 'C', PIN_WIFI_EN), 0);
	avr_raise_irq(pin_irq(a, 'C', PIN_WIFI_RESET), 1);
	avr_raise_irq(pin_irq(a, 'C', PIN_SR_DATA), 0);
}

/* ---- SPI, serial port, watched registers ----------------------------------- */

static avr_cycle_count_t spi_done(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	struct avr_rig *a = arg;

	(void)avr;
	(void)when;
	avr_raise_irq(a->spi->io.irq + SPI_IRQ_INPUT, wsim_byte(a->rig->wifi, a->spi_out, rig_now(a)));
	return 0;
}

/* In place of simavr's own handler, which takes 100 us a byte. */
static void spi_write(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	struct avr_rig *a = arg;

	avr_regbit_clear(avr, a->spi->spi.raised);
	avr->data[addr] = a->spi_out = value;
	avr_cycle_timer_register(avr, SPI_CYCLES, spi_done, a);
}

static void uart_out(struct avr_irq_t *irq_out, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;

	(void)irq_out;
	rig_now(a);
	rig_said(a->rig, (uint8_t)value);
}

static bool uart(struct rig *rig, uint8_t byte)
{
	struct avr_rig *a = rig->priv;

	if (!a->on)
		return false;
	avr_raise_irq(avr_io_getirq(a->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
	return true;
}

static void eeprom_write(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	struct avr_rig *a = arg;

	(void)avr;
	(void)addr;
	if (value & EEPE)
		a->rig->gates.eeprom_writes++;
}

static void main_mark(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	struct avr_rig *a = arg;
	uint64_t cycle = rig_now(a);

	avr->data[addr] = value;
	if (a->mark != 0)
		most(&a->rig->gates.pass_gap, cycle - a->mark);
	a->mark = cycle;
}

static void matched(struct avr_irq_t *pending, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;

	(void)pending;
	if (value)
		a->match = rig_now(a);
}

static void connect_pins(struct avr_rig *a)
{
	static const uint8_t d[] = { PIN_SR_CLOCK, PIN_SR_CLEAR, PIN_SR_LATCH, PIN_HV };
	static const uint8_t c[] = { PIN_SR_DATA, PIN_WIFI_EN, PIN_WIFI_RESET };

	for (unsigned i = 0; i < sizeof d; i++)
		avr_irq_register_notify(pin_irq(a, 'D', d[i]), port_d, a);
	for (unsigned i = 0; i < sizeof c; i++)
		avr_irq_register_notify(pin_irq(a, 'C', c[i]), port_c, a);
	avr_irq_register_notify(pin_irq(a, 'B', PIN_WIFI_CS), port_b, a);
	avr_irq_register_notify(avr_get_interrupt_irq(a->avr, VECTOR_COMPA) + AVR_INT_IRQ_PENDING, matched, a);
}

static void connect_registers(struct avr_rig *a)
{
	avr_t *avr = a->avr;
	uint32_t flags = 0;

	for (avr_io_t *io = avr->io_port; io; io = io->next)
		if (strcmp(io->kind, "spi") == 0)
			a->spi = (avr_spi_t *)io;
	avr->io[AVR_DATA_TO_IO(SPDR)].w.c = spi_write;
	avr->io[AVR_DATA_TO_IO(SPDR)].w.param = a;
	avr_register_io_write(avr, GPIOR0, main_mark, a);
	avr_register_io_write(avr, EECR, eeprom_write, a);
	avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
	flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
	avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), uart_out, a);
}

/* ---- power and resets ------------------------------------------------------ */

static struct avr_rig *the_rig;		/* simavr's reset has no argument of ours */
static void (*chip_reset)(avr_t *avr);

static void unhang(struct avr_rig *a)
{
	if (a->patched != 0)
		memcpy(a->avr->flash + a->fw_pass, &a->patched, sizeof a->patched);
	a->patched = 0;
}

static void on_reset(avr_t *avr)
{
	struct avr_rig *a = the_rig;

	if (chip_reset)
		chip_reset(avr);
	if (!a->resetting && byte_of(a, "hal_reboot", 0) != REBOOT)
		a->rig->gates.watchdog_bites++;
	a->was_reset = true;
	a->armed = 0;
	a->irq_was_on = false;
	a->irq_off_since = a->mark = a->match = a->begins = 0;
	unhang(a);
}

static void reset_by(struct avr_rig *a, avr_regbit_t cause)
{
	a->resetting = true;
	avr_reset(a->avr);
	a->resetting = false;
	avr_regbit_set(a->avr, cause);
}

static void power(struct rig *rig, bool on)
{
	struct avr_rig *a = rig->priv;
	uint32_t state = rig->seed * 2654435761U + (uint32_t)rig->power_on + 1;

	a->on = on;
	pins_float(a);
	if (!on)
		return;
	for (unsigned i = RAM_START; i < RAM_END; i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		a->noise[i] = a->avr->data[i] = (uint8_t)(state >> 11);
	}
	a->base = rig->cycle - a->avr->cycle;
	reset_by(a, a->avr->reset_flags.porf);
}

static void button(struct rig *rig)
{
	struct avr_rig *a = rig->priv;

	if (a->on)
		reset_by(a, a->avr->reset_flags.extrf);
}

static void hang(struct rig *rig)
{
	struct avr_rig *a = rig->priv;
	const uint16_t loop = LOOP_FOREVER;

	if (a->fw_pass == 0 || a->patched != 0)
		return;
	memcpy(&a->patched, a->avr->flash + a->fw_pass, sizeof a->patched);
	memcpy(a->avr->flash + a->fw_pass, &loop, sizeof loop);
}

/* ---- running --------------------------------------------------------------- */

static avr_cycle_count_t awake(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	struct avr_rig *a = arg;

	(void)avr;
	(void)when;
	a->armed = 0;
	return 0;
}

LEAN static void arm(struct avr_rig *a, uint64_t cycle)
{
	if (a->armed == cycle)
		return;
	avr_cycle_timer_cancel(a->avr, awake, a);
	uint64_t now = a->base + a->avr->cycle;
	avr_cycle_timer_register(a->avr, cycle > now ? cycle - now : 1, awake, a);
	a->armed = cycle;
}

LEAN static void watch(struct avr_rig *a)
{
	avr_t *avr = a->avr;

	if (avr->pc == a->on_second && a->match != 0) {
		a->begins = a->match;
		a->match = 0;
	}
	if (avr->sreg[S_I]) {
		if (a->irq_off_since != 0 && a->irq_was_on)
			most(&a->rig->gates.irq_off, avr->cycle - a->irq_off_since);
		a->irq_was_on = true;
		a->irq_off_since = 0;
	} else if (a->irq_off_since == 0) {
		a->irq_off_since = avr->cycle;
	}
}

LEAN static void step(struct avr_rig *a, uint64_t until)
{
	struct rig *rig = a->rig;

	arm(a, rig->due < until ? rig->due : until);
	if (rig->step)
		rig->step(rig, rig->step_arg);
	int state = avr_run(a->avr);
	rig_now(a);
	if (a->was_reset) {
		a->was_reset = false;
		pins_float(a);
	}
	watch(a);
	if (state == cpu_Crashed || state == cpu_Done)
		rig->crashed = state == cpu_Done ? "slept with interrupts off" : "left its program";
	if (rig->cycle >= rig->due)
		rig_tick(rig);
}

/* From the top of RAM down to the lowest byte that is not what it was at power-on. */
static void measure_stack(struct avr_rig *a)
{
	uint32_t at = a->data_end;

	while (at < RAM_END && a->avr->data[at] == a->noise[at])
		at++;
	most(&a->rig->gates.stack, RAM_END - at);
	if (at < RAM_END - STACK_ROOM)
		most(&a->rig->gates.guard, RAM_END - STACK_ROOM - at);
}

LEAN static void run(struct rig *rig, uint64_t until)
{
	struct avr_rig *a = rig->priv;

	while (rig->cycle < until && !rig->crashed) {
		if (a->on) {
			step(a, until);
			continue;
		}
		rig->cycle = rig->due < until ? rig->due : until;
		rig_tick(rig);
	}
	if (a->on)
		measure_stack(a);
}

/* ---- making ---------------------------------------------------------------- */

static uint8_t *eeprom(struct rig *rig)
{
	struct avr_rig *a = rig->priv;
	avr_eeprom_desc_t all = { .ee = NULL, .offset = 0, .size = EEPROM_BYTES };

	avr_ioctl(a->avr, AVR_IOCTL_EEPROM_GET, &all);	/* says -1 and does it */
	return all.ee;
}

static void dont_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr;
	(void)cycles;
}

static void no_log(avr_t *avr, const int level, const char *format, va_list args)
{
	(void)avr;
	(void)level;
	(void)format;
	(void)args;
}

/* simavr says on stdout what it loads. */
static int read_quietly(const char *elf, elf_firmware_t *firmware)
{
	int before, null, result;

	fflush(stdout);
	before = dup(STDOUT_FILENO);
	null = open("/dev/null", O_WRONLY);
	dup2(null, STDOUT_FILENO);
	result = elf_read_firmware(elf, firmware);
	fflush(stdout);
	dup2(before, STDOUT_FILENO);
	close(before);
	close(null);
	return result;
}

static bool make_core(struct avr_rig *a)
{
	avr_global_logger_set(no_log);
	a->avr = avr_make_mcu_by_name("atmega328p");
	if (!a->avr)
		return false;
	avr_init(a->avr);
	avr_load_firmware(a->avr, &a->elf);
	a->avr->frequency = F_CPU;
	a->avr->sleep = dont_sleep;
	a->avr->run_cycle_limit = 1;	/* an instruction at a time: what is measured is exact */
	the_rig = a;
	chip_reset = a->avr->reset;
	a->avr->reset = on_reset;
	return true;
}

static bool open_avr(struct rig *rig, const char *elf)
{
	struct avr_rig *a = calloc(1, sizeof *a);

	if (!a)
		abort();
	a->rig = rig;
	rig->priv = a;
	if (read_quietly(elf, &a->elf) != 0 || !make_core(a)) {
		free(a);
		return false;
	}
	uint32_t end = 0x800000U + RAM_END;
	symbol(a, "_end", &end);
	a->data_end = end & 0xffff;
	if (!symbol(a, "on_second", &a->on_second) || !symbol(a, "fw_pass", &a->fw_pass)) {
		free(a);
		return false;
	}
	connect_pins(a);
	connect_registers(a);
	memset(eeprom(rig), 0xff, EEPROM_BYTES);
	return true;
}

static void close_avr(struct rig *rig)
{
	struct avr_rig *a = rig->priv;

	avr_terminate(a->avr);
	free(a->avr);
	free(a);
}

struct avr_t *rig_avr_core(struct rig *rig)
{
	return ((struct avr_rig *)rig->priv)->avr;
}

const struct rig_cpu rig_avr = {
	.name = "avr", .open = open_avr, .power = power, .button = button, .run = run,
	.uart = uart, .eeprom = eeprom, .peek = peek, .poke = poke, .hang = hang,
	.irq = irq, .close = close_avr,
};
