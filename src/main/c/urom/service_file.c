/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "service_file.h"

SDK_LOG_REGISTER(UROM::SERVICE_FILE)

#define FIELDS 5
#define LINE_MAX_LENGTH 2048

static bool has_local_address(const char *numeric)
{
    struct ifaddrs *interfaces;
    bool found = false;

    if (getifaddrs(&interfaces) != 0)
        return false;
    for (struct ifaddrs *at = interfaces; at != NULL && !found; at = at->ifa_next) {
        char text[INET6_ADDRSTRLEN] = "";

        if (at->ifa_addr != NULL && at->ifa_addr->sa_family == AF_INET)
            inet_ntop(AF_INET, &((struct sockaddr_in *)at->ifa_addr)->sin_addr, text, sizeof(text));
        else if (at->ifa_addr != NULL && at->ifa_addr->sa_family == AF_INET6)
            inet_ntop(AF_INET6, &((struct sockaddr_in6 *)at->ifa_addr)->sin6_addr, text,
                    sizeof(text));
        found = strcmp(text, numeric) == 0;
    }
    freeifaddrs(interfaces);
    return found;
}

/* Returns whether `name` is this host's full name, short name or address, or "localhost". */
static bool is_this_host(const char *name)
{
    char own[HOST_NAME_MAX + 1] = "";
    size_t short_length;

    if (strcasecmp(name, "localhost") == 0)
        return true;
    if (gethostname(own, sizeof(own) - 1) == 0 && own[0] != '\0') {
        short_length = strcspn(own, ".");
        if (strcasecmp(name, own) == 0)
            return true;
        if (strncasecmp(name, own, short_length) == 0
                && (name[short_length] == '\0' || name[short_length] == '.'))
            return name[short_length] == '\0' || own[short_length] == '\0';
    }
    return has_local_address(name);
}

/* Converts "dddd:bb:dd.f" or "bb:dd.f" to the long form in lower case. */
static bool normalize_pci(const char *text, char normal[16])
{
    unsigned domain = 0, bus, device, function;
    int end = 0;

    if (sscanf(text, "%4x:%2x:%2x.%1x%n", &domain, &bus, &device, &function, &end) != 4
            || text[end] != '\0') {
        domain = 0;
        end = 0;
        if (sscanf(text, "%2x:%2x.%1x%n", &bus, &device, &function, &end) != 3 || text[end] != '\0')
            return false;
    }
    snprintf(normal, 16, "%04x:%02x:%02x.%x", domain & 0xffff, bus & 0xff, device & 0xff,
            function & 0xf);
    return true;
}

static bool is_port(const char *text)
{
    char *end;
    long port = strtol(text, &end, 10);

    return isdigit((unsigned char)text[0]) && *end == '\0' && port > 0 && port < 65536;
}

/* Stores the path of a Unix socket. Returns NULL, or the reason why it is invalid. */
static const char *parse_socket_path(const char *path, struct service_entry *entry)
{
    if (path[0] != '/')
        return "the path after \"unix:\" does not begin with a slash";
    if (strlen(path) + 1 >= sizeof(entry->socket_path))
        return "the path after \"unix:\" is longer than 106 characters, the maximum for a socket";

    strcpy(entry->socket_path, path);
    return NULL;
}

/*
 * Parses "name", "name:port", "[v6]:port" or an IPv6 address without brackets. Returns NULL, or the
 * reason why it is invalid.
 */
static const char *split_address(const char *text, struct service_entry *entry)
{
    const char *host = text;
    const char *port = NULL;
    size_t length;

    if (text[0] == '[') {
        const char *end = strchr(text, ']');

        if (end == NULL || (end[1] != '\0' && end[1] != ':'))
            return "dev_hostname has no closing bracket before its port";
        host = text + 1;
        length = (size_t)(end - host);
        port = end[1] == ':' ? end + 2 : NULL;
    } else {
        const char *colon = strchr(text, ':');

        length = colon == NULL || strchr(colon + 1, ':') != NULL ? strlen(text)
                                                                 : (size_t)(colon - text);
        port = text[length] == ':' ? text + length + 1 : NULL;
    }
    if (length == 0 || length >= sizeof(entry->host))
        return "dev_hostname is empty or longer than 255 characters";
    if (port != NULL && !is_port(port))
        return "the port of dev_hostname is not a number from 1 to 65535";

    snprintf(entry->host, sizeof(entry->host), "%.*s", (int)length, host);
    snprintf(entry->port, sizeof(entry->port), "%s",
            port == NULL ? SERVICE_FILE_DEFAULT_PORT : port);
    return NULL;
}

/* Parses and modifies `line`. Returns NULL, or the reason why it is invalid. */
static const char *parse_line(char *line, struct service_entry *entry)
{
    char *field[FIELDS + 1] = { NULL };
    char *rest = line;
    int count = 0;

    while (count <= FIELDS && (field[count] = strtok_r(rest, " \t\r\n", &rest)) != NULL)
        ++count;
    if (count != FIELDS)
        return "it does not have the five fields app_hostname, service_type, dev_hostname, "
               "dev_pci_addr and net,devs";
    if (strcmp(field[1], "dpu") != 0)
        return "its service_type is not \"dpu\", the only supported type";
    if (!normalize_pci(field[3], entry->pci_address))
        return "its dev_pci_addr is not a PCI address such as 0000:03:00.0";
    if (strlen(field[0]) >= sizeof(entry->app_hostname)
            || strlen(field[4]) >= sizeof(entry->net_devices))
        return "a field is longer than 255 characters";

    strcpy(entry->app_hostname, field[0]);
    strcpy(entry->net_devices, strcmp(field[4], "all") == 0 ? "" : field[4]);
    return strncmp(field[2], "unix:", 5) == 0 ? parse_socket_path(field[2] + 5, entry)
                                              : split_address(field[2], entry);
}

static doca_error_t search(
        FILE *file, const char *path, const char *pci_address, struct service_entry *entry)
{
    char line[LINE_MAX_LENGTH];
    bool found = false;

    for (int number = 1; fgets(line, sizeof(line), file) != NULL; ++number) {
        struct service_entry candidate = { .app_hostname = "" };
        const char *text = line + strspn(line, " \t\r\n");
        const char *reason = NULL;

        if (strlen(line) + 1 == sizeof(line))
            reason = "it is longer than 2046 characters";
        else if (*text == '\0' || *text == '#')
            continue;
        if (reason == NULL)
            reason = parse_line(line, &candidate);
        if (reason != NULL) {
            SDK_LOG_ERR("Line %d of the service file %s cannot be used: %s", number, path, reason);
            return DOCA_ERROR_BAD_CONFIG;
        }
        if (!found && strcmp(candidate.pci_address, pci_address) == 0
                && is_this_host(candidate.app_hostname)) {
            *entry = candidate;
            found = true;
        }
    }
    return found ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND;
}

doca_error_t service_file_find(
        const char *path, const char *pci_address, struct service_entry *entry)
{
    FILE *file = FAULT_CALL_OR(service_file_open, NULL, fopen(path, "re"));
    doca_error_t status;

    if (file == NULL) {
        SDK_LOG_ERR("The service file %s, set by DOCA_UROM_SERVICE_FILE, cannot be read: %s", path,
                strerror(errno));
        return errno == EACCES ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_NOT_FOUND;
    }
    status = search(file, path, pci_address, entry);
    if (status == DOCA_ERROR_NOT_FOUND)
        SDK_LOG_ERR("The service file %s has no line for this host and the device at %s", path,
                pci_address);
    fclose(file);
    return status;
}
