/*
 * heap: the panes of heap dumps.
 */
#ifndef UI_HEAP_H
#define UI_HEAP_H

#include "icecore/ui.h"

extern const struct pane_kind pane_overview, pane_classes, pane_dominators;
extern const struct pane_kind pane_stacks, pane_strings, pane_bitmaps, pane_findings, pane_object;

#endif
