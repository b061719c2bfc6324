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
#define LINE_MAX_LENGTH 2046 /* without the line terminator */

/* Returns whether an interface of this host has the address. */
static bool has_local_address(const char *numeric)
{
    struct in_addr four;
    struct in6_addr six;
    bool is_four = inet_pton(AF_INET, numeric, &four) == 1;
    bool is_six = inet_pton(AF_INET6, numeric, &six) == 1;
    struct ifaddrs *interfaces;
    bool found = false;

    if ((!is_four && !is_six) || getifaddrs(&interfaces) != 0)
        return false;
    for (struct ifaddrs *at = interfaces; at != NULL && !found; at = at->ifa_next) {
        const struct sockaddr *address = at->ifa_addr;

        if (address == NULL)
            continue;
        if (is_four && address->sa_family == AF_INET)
            found = memcmp(&((const struct sockaddr_in *)address)->sin_addr, &four, sizeof(four))
                    == 0;
        else if (is_six && address->sa_family == AF_INET6)
            found = memcmp(&((const struct sockaddr_in6 *)address)->sin6_addr, &six, sizeof(six))
                    == 0;
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
    static const char form[] = "xxxx:xx:xx.x", domain[] = "0000:";
    bool is_short = strlen(text) == strlen(form) - strlen(domain);
    size_t i;

    if (!is_short && strlen(text) != strlen(form))
        return false;
    snprintf(normal, 16, "%s%s", is_short ? domain : "", text);
    for (i = 0; i < strlen(form); ++i) {
        normal[i] = (char)tolower((unsigned char)normal[i]);
        if (form[i] == 'x' ? !isxdigit((unsigned char)normal[i]) : normal[i] != form[i])
            return false;
    }
    return normal[strlen(form) - 1] <= '7';
}

static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits > 0 && digits <= 5 && text[digits] == '\0' && atoi(text) > 0
            && atoi(text) < 65536;
}

/* Returns whether the field contains only characters that a name or a path may have. */
static bool is_word(const char *text)
{
    for (; *text != '\0'; ++text)
        if (iscntrl((unsigned char)*text) || *text == '#')
            return false;
    return true;
}

static bool has_empty_name(const char *list)
{
    return list[0] == ',' || list[strlen(list) - 1] == ',' || strstr(list, ",,") != NULL;
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

static const char *parse_address(const char *text, struct service_entry *entry)
{
    return strncmp(text, "unix:", 5) == 0 ? parse_socket_path(text + 5, entry)
                                          : split_address(text, entry);
}

const char *service_file_parse_address(const char *address, struct service_entry *entry)
{
    memset(entry, 0, sizeof(*entry));
    if (address[strcspn(address, " \t\r\n")] != '\0' || !is_word(address))
        return "it contains a blank, a control character or \"#\"";
    return parse_address(address, entry);
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
    for (count = 0; count < FIELDS; ++count)
        if (!is_word(field[count]))
            return "a field contains a control character or \"#\"";
    if (strcmp(field[1], "dpu") != 0)
        return "its service_type is not \"dpu\", the only supported type";
    if (!normalize_pci(field[3], entry->pci_address))
        return "its dev_pci_addr is not a PCI address such as 0000:03:00.0";
    if (strlen(field[0]) >= sizeof(entry->app_hostname)
            || strlen(field[4]) >= sizeof(entry->net_devices))
        return "a field is longer than 255 characters";
    if (has_empty_name(field[4]))
        return "a network device of net,devs has no name";

    strcpy(entry->app_hostname, field[0]);
    strcpy(entry->net_devices, strcmp(field[4], "all") == 0 ? "" : field[4]);
    return parse_address(field[2], entry);
}

/* Parses and modifies a line of `length` bytes, unless it is empty or a comment: then no address. */
static const char *parse(char *line, size_t length, struct service_entry *entry)
{
    const char *text;

    if (length > 0 && line[length - 1] == '\n')
        line[--length] = '\0';
    if (length > LINE_MAX_LENGTH)
        return "it is longer than 2046 characters";
    if (strlen(line) != length)
        return "it contains a null character";
    text = line + strspn(line, " \t\r");
    return *text == '\0' || *text == '#' ? NULL : parse_line(line, entry);
}

static doca_error_t search(
        FILE *file, const char *path, const char *pci_address, struct service_entry *entry)
{
    doca_error_t status = DOCA_ERROR_NOT_FOUND;
    size_t capacity = 0;
    char *line = NULL;
    ssize_t length;

    for (int number = 1; (length = getline(&line, &capacity, file)) >= 0; ++number) {
        struct service_entry candidate = { .app_hostname = "" };
        const char *reason = parse(line, (size_t)length, &candidate);

        if (reason != NULL) {
            SDK_LOG_ERR("Line %d of the service file %s cannot be used: %s", number, path, reason);
            status = DOCA_ERROR_BAD_CONFIG;
            break;
        }
        if (status == DOCA_ERROR_NOT_FOUND && strcmp(candidate.pci_address, pci_address) == 0
                && is_this_host(candidate.app_hostname)) {
            *entry = candidate;
            status = DOCA_SUCCESS;
        }
    }
    free(line);
    return status;
}

doca_error_t service_file_find(
        const char *path, const char *pci_address, struct service_entry *entry)
{
    FILE *file = FAULT_CALL_OR(service_file_open, NULL, fopen(path, "re"));
    doca_error_t status;

    if (file == NULL) {
        SDK_LOG_ERR("The service file %s cannot be read: %s", path, strerror(errno));
        return errno == EACCES ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_NOT_FOUND;
    }
    status = search(file, path, pci_address, entry);
    if (status == DOCA_ERROR_NOT_FOUND)
        SDK_LOG_ERR("The service file %s has no line for this host and the device at %s", path,
                pci_address);
    fclose(file);
    return status;
}
