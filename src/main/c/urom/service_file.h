/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service file: one line per service, plus blank lines and comments. docs/software-doca.md has
 * the grammar.
 *
 *     app_hostname service_type dev_hostname[:port] dev_pci_addr net,devs
 */
#ifndef JUROM_SERVICE_FILE_H_
#define JUROM_SERVICE_FILE_H_

#include <sys/un.h>

#include <doca_error.h>

#define SERVICE_FILE_DEFAULT_PORT "7471"

/* An entry of the file. */
struct service_entry {
    char app_hostname[256];
    char socket_path[sizeof(((struct sockaddr_un *)0)->sun_path)]; /* of `unix:`; else empty */
    char host[256]; /* of dev_hostname, without brackets */
    char port[8];
    char pci_address[16];
    char net_devices[256];
};

/*
 * Finds the entry for this machine and the device at `pci_address` ("dddd:bb:dd.f") in the file at
 * `path`. Returns NOT_FOUND (no file, or no such entry), NOT_PERMITTED or BAD_CONFIG (an invalid
 * line). Errors are logged.
 */
doca_error_t service_file_find(
        const char *path, const char *pci_address, struct service_entry *entry);

/*
 * Stores the address of a service, as dev_hostname has it, in an entry without network devices, which
 * is for each host and device. Returns NULL, or the reason why the address is invalid.
 */
const char *service_file_parse_address(const char *address, struct service_entry *entry);

#endif /* JUROM_SERVICE_FILE_H_ */
