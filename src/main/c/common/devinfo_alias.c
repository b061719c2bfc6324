/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alias names and PCI addresses of devices, for programs that require particular ones:
 *
 *     mlx5_0=soft0,0000:03:00.0=soft0,mlx5_1=0000:03:00.0
 *
 * Each alias is a separate entry of the device list. The right-hand side is a name or address of
 * any preceding entry. The value comes from the user and is untrusted.
 */
#include "devinfo_alias.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::DEV)

#define ALIASES_MAX 64
#define SHOWN_MAX 80 /* maximum characters of an entry in a message */

struct alias {
    const char *text;
    size_t length;
    char left[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    char right[DOCA_DEVINFO_IBDEV_NAME_SIZE];
};

/* Parses "dddd:bb:dd.f" or "bb:dd.f" into the long form in lower case. */
static bool parse_address(const char *text, char address[DOCA_DEVINFO_PCI_ADDR_SIZE])
{
    char whole[DOCA_DEVINFO_IBDEV_NAME_SIZE + 8];
    size_t i;

    snprintf(whole, sizeof(whole), "%s%s",
            strlen(text) == DOCA_DEVINFO_PCI_BDF_SIZE - 1 ? "0000:" : "", text);
    if (!devinfo_is_pci_address(whole) || whole[DOCA_DEVINFO_PCI_ADDR_SIZE - 2] > '7')
        return false;
    for (i = 0; whole[i] != '\0'; ++i)
        address[i] = (char)tolower((unsigned char)whole[i]);
    address[i] = '\0';
    return true;
}

static bool copy_word(const char *text, size_t length, char word[DOCA_DEVINFO_IBDEV_NAME_SIZE])
{
    size_t i;

    if (length == 0 || length >= DOCA_DEVINFO_IBDEV_NAME_SIZE)
        return false;
    for (i = 0; i < length; ++i)
        if (!isalnum((unsigned char)text[i]) && strchr("._:-", text[i]) == NULL)
            return false;
    memcpy(word, text, length);
    word[length] = '\0';
    return true;
}

static struct doca_devinfo *find(const struct devinfo_table *table, const char *word)
{
    char address[DOCA_DEVINFO_PCI_ADDR_SIZE];
    bool is_address = parse_address(word, address);
    struct doca_devinfo *device;

    for (device = table->devices; device < table->devices + table->count; ++device)
        if (is_address ? strcmp(device->pci_address, address) == 0
                       : strcmp(device->ibdev_name, word) == 0
                                || strcmp(device->interface_name, word) == 0)
            return device;
    return NULL;
}

/* Creates the device that the alias stands for. Returns NULL, or the reason for the failure. */
static const char *make_device(
        const struct devinfo_table *table, struct alias *alias, struct doca_devinfo *device)
{
    const char *equals = memchr(alias->text, '=', alias->length);
    const struct doca_devinfo *target;
    size_t left;

    if (equals == NULL)
        return "it has no '=' between the alias and the device";
    left = (size_t)(equals - alias->text);
    if (!copy_word(alias->text, left, alias->left)
            || !copy_word(equals + 1, alias->length - left - 1, alias->right))
        return "a name has 1 to 63 characters: letters, digits or \"._:-\"";
    target = find(table, alias->right);
    if (target == NULL)
        return "no device has the name or address after its '='";
    if (find(table, alias->left) != NULL)
        return "a device already has the name or address before its '='";

    *device = *target;
    if (!parse_address(alias->left, device->pci_address)) {
        strcpy(device->ibdev_name, alias->left);
        strcpy(device->interface_name, alias->left);
    }
    return NULL;
}

/* Logs the entry, truncated and without unprintable characters, and the reason. */
static doca_error_t reject(const struct alias *alias, const char *reason)
{
    char shown[SHOWN_MAX + 1];
    size_t length = alias->length < SHOWN_MAX ? alias->length : SHOWN_MAX;
    size_t i;

    for (i = 0; i < length; ++i)
        shown[i] = isgraph((unsigned char)alias->text[i]) ? alias->text[i] : '?';
    shown[length] = '\0';
    SDK_LOG_ERR("The entry \"%s\" of JUROM_DEVICE_ALIASES cannot be used: %s. Each is "
                "NAME=DEVICE or ADDRESS=DEVICE; separate them with commas.",
            shown, reason);
    return DOCA_ERROR_BAD_CONFIG;
}

doca_error_t devinfo_add_aliases(struct devinfo_table *table, const char *aliases)
{
    doca_error_t status = DOCA_SUCCESS;
    const char *at = aliases;
    unsigned count = 0;

    while (*at != '\0' && status == DOCA_SUCCESS) {
        struct alias alias = { .text = at, .length = strcspn(at, ",") };
        struct doca_devinfo device;
        const char *reason = ++count > ALIASES_MAX ? "the limit of 64 entries is exceeded"
                                                   : make_device(table, &alias, &device);

        status = reason == NULL ? devinfo_add(table, &device) : reject(&alias, reason);
        at += alias.length;
        at += *at == ',';
    }
    return status;
}
