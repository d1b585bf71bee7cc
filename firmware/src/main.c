/* The endless loop. */
#include "fw.h"
#include "hal.h"

int main(void)
{
	fw_start();
	for (;;) {
		fw_pass();
		hal_idle();
	}
}
