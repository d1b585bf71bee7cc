/* From hal_avr.c to hal_tubes.c, which starts with it. */
#ifndef HAL_TUBES_H
#define HAL_TUBES_H

void hal_tubes_init(void);	/* the pins are outputs by now: registers dark, no dimming */

#endif
