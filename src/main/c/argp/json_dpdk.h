/* SPDX-License-Identifier: Apache-2.0 */
/* Flags for DPDK in a file. */
#ifndef JUROM_ARGP_JSON_DPDK_H_
#define JUROM_ARGP_JSON_DPDK_H_

#include "parser.h"

struct json_object;

/*
 * Converts `section`, an object, to arguments of DPDK: "devices", an array of objects, becomes -a;
 * "core-mask" -c; "core-list" -l; the words of "flags" are copied. NOT_SUPPORTED: another key.
 * INVALID_VALUE. NO_MEMORY.
 */
doca_error_t json_dpdk_read(struct parser *parser, struct json_object *section);

#endif /* JUROM_ARGP_JSON_DPDK_H_ */
