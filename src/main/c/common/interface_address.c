/* SPDX-License-Identifier: Apache-2.0 */
#include "interface_address.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>

static bool matches(const struct ifaddrs *entry, const char *name, int family)
{
    return entry->ifa_addr != NULL && entry->ifa_addr->sa_family == family
            && strcmp(entry->ifa_name, name) == 0;
}

bool interface_ipv4(const char *name, uint8_t *address)
{
    struct ifaddrs *all, *entry;
    struct sockaddr_in socket_address;
    bool found = false;

    if (getifaddrs(&all) != 0)
        return false;
    for (entry = all; entry != NULL && !found; entry = entry->ifa_next)
        if (matches(entry, name, AF_INET)) {
            memcpy(&socket_address, entry->ifa_addr, sizeof(socket_address));
            memcpy(address, &socket_address.sin_addr, 4);
            found = true;
        }
    freeifaddrs(all);
    return found;
}

bool interface_ipv6(const char *name, uint8_t *address)
{
    struct ifaddrs *all, *entry;
    struct sockaddr_in6 socket_address;
    bool found = false, global = false;

    if (getifaddrs(&all) != 0)
        return false;
    for (entry = all; entry != NULL && !global; entry = entry->ifa_next)
        if (matches(entry, name, AF_INET6)) {
            memcpy(&socket_address, entry->ifa_addr, sizeof(socket_address));
            global = !IN6_IS_ADDR_LINKLOCAL(&socket_address.sin6_addr);
            if (global || !found)
                memcpy(address, &socket_address.sin6_addr, 16);
            found = true;
        }
    freeifaddrs(all);
    return found;
}
