/* SPDX-License-Identifier: Apache-2.0 */
/* IP addresses of this machine's network interfaces. */
#ifndef JUROM_INTERFACE_ADDRESS_H_
#define JUROM_INTERFACE_ADDRESS_H_

#include <stdbool.h>
#include <stdint.h>

/* Gets the interface's first IPv4 address, 4 bytes in network byte order; false if it has none. */
bool interface_ipv4(const char *name, uint8_t *address);

/*
 * Gets the interface's first IPv6 address, 16 bytes, preferring a global one to a link-local one;
 * false if it has none.
 */
bool interface_ipv6(const char *name, uint8_t *address);

#endif /* JUROM_INTERFACE_ADDRESS_H_ */
