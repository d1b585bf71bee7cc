/*
 * route_nodes: the objects that a search for routes meets, in their order.
 */
#include "config.h"

#include "routes.h"

bool
route_append(struct heap_routes *r, uint32_t object, uint32_t from)
{
	if ((r->n + 1) * sizeof(struct route_node) > r->nodes.size &&
	    !scratch_array(&r->nodes, r->n + 1, sizeof(struct route_node), r->err))
		return false;
	SCRATCH(r->nodes, struct route_node)[r->n++] = (struct route_node){ object, from };
	return true;
}

bool
route_add(struct heap_routes *r, uint32_t object, uint32_t from)
{
	if (!route_append(r, object, from))
		return false;
	set_bit(&r->seen, object);
	if (!has_bit(&r->wanted, object))
		return true;
	r->left--;
	return idmap_put(&r->met, object, (uint32_t)r->n, r->err);
}

bool
route_late(struct heap_routes *r, uint32_t object, uint32_t from)
{
	if (object == 0 || object > r->heap->objects || has_bit(&r->seen, object))
		return true;
	if (!scratch_array(&r->late, r->nlate + 1, sizeof(struct route_node), r->err))
		return false;
	SCRATCH(r->late, struct route_node)[r->nlate++] = (struct route_node){ object, from };
	return true;
}
