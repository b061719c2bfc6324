/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses of this machine's network interfaces. */
#ifndef JUROM_INTERFACE_ADDRESS_H_
#define JUROM_INTERFACE_ADDRESS_H_

#include <stdbool.h>
#include <stdint.h>

/* The interface's first IPv4 address, 4 bytes in network order; false when it has none. */
bool interface_ipv4(const char *name, uint8_t *address);

/* The interface's first IPv6 address, 16 bytes; a global one before a link-local one. */
bool interface_ipv6(const char *name, uint8_t *address);

#endif /* JUROM_INTERFACE_ADDRESS_H_ */
