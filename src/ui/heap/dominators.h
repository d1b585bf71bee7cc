/*
 * dominators: what the files of the pane share: the pane (dominators.c), its places in the history (dominators_undo.c).
 */
#ifndef UI_DOMINATORS_H
#define UI_DOMINATORS_H

#include "branches.h"
#include "ui/list/list.h"

struct dominators {
	struct list	*list;
	uint32_t	 wanted;	/* object to go to as soon as there are rows */
	/* Grouping very many is left to the worker; the tree stays as it is until then. */
	struct task	 task;
	struct kin	*kin;
	size_t		 branch;
	enum kinship	 kind;
	struct buf	 place;		/* where undo leads as soon as there are rows; empty: nowhere */
	struct buf	 going;		/* the same while the worker makes its groups */
	struct unfolding *unfolding;
};

static inline struct dominators *
dominators_of(struct task *t)
{
	return (struct dominators *)((char *)t - offsetof(struct dominators, task));
}

bool	dominators_usable(const struct dominators *);
void	dominators_changed(struct list *);	/* other lines than before are unfolded */
void	dominators_give(struct dominators *, bool (*run)(struct task *, struct work *, struct err *),
	    void (*done)(struct task *, bool ok, const struct err *));

/* dominators_undo.c */
void	dominators_keep(struct pane *, struct buf *);
void	dominators_put(struct pane *, struct str place, bool moved);
void	dominators_go(struct dominators *);	/* where undo leads, if it does */
void	dominators_forget(struct dominators *);

#endif
