/*
 * presets: the text of the presets of icecore.
 */
#ifndef PRESETS_H
#define PRESETS_H

extern const char presets_txt[];

#endif
