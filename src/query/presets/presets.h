/*
 * presets: the presets of icecore, as text (presets.txt).
 */
#ifndef PRESETS_H
#define PRESETS_H

extern const char presets_txt[];

#endif
