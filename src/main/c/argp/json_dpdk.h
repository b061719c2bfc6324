/* SPDX-License-Identifier: Apache-2.0 */
/* The flags in a file that are for DPDK. */
#ifndef JUROM_ARGP_JSON_DPDK_H_
#define JUROM_ARGP_JSON_DPDK_H_

#include "parser.h"

struct json_object;

/*
 * Adds DPDK's arguments for what `section`, an object, has: "devices", an array of objects, becomes
 * -a; "core-mask" -c; "core-list" -l; "flags" words as they are. NOT_SUPPORTED: another key.
 * INVALID_VALUE. NO_MEMORY.
 */
doca_error_t json_dpdk_read(struct parser *parser, struct json_object *section);

#endif /* JUROM_ARGP_JSON_DPDK_H_ */
