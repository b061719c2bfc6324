/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device is {"device": "pf", "id": "03:00.0"}; "vf" and "sf" are allowed instead of "pf", and the
 * id of an "sf" is a number. Its other entries are driver options: "sft" and "hws" stand for
 * options with other names in the driver.
 */
#include "argp.h"

#include <stdio.h>
#include <string.h>

#include <json-c/json_object.h>
#include <json-c/linkhash.h>

#include "argp_text.h"

#define ALLOWED_SIZE 256

/* The argument of -a under construction. */
struct allowed {
    char text[ALLOWED_SIZE];
    size_t length;
};

static doca_error_t reject(const struct parser *parser, const char *key, const char *expected)
{
    parser_report(parser, "in the file's doca_dpdk_flags, \"%s\" must be %s", text_quote(key).text,
            expected);
    return DOCA_ERROR_INVALID_VALUE;
}

static const char *text_of(struct json_object *value)
{
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

/* Returns false if the text becomes too long. */
static bool append(struct allowed *allowed, const char *first, const char *second)
{
    size_t left = sizeof(allowed->text) - allowed->length;
    int length = snprintf(allowed->text + allowed->length, left, "%s%s", first, second);

    if (length < 0 || (size_t)length >= left)
        return false;
    allowed->length += (size_t)length;
    return true;
}

static bool append_option(struct allowed *allowed, const char *key, struct json_object *value)
{
    bool on = json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);

    if (strcmp(key, "device") == 0 || strcmp(key, "id") == 0)
        return true;
    if (strcmp(key, "sft") == 0 && on)
        return append(allowed, ",", "sft_en=1");
    if (strcmp(key, "hws") == 0 && on)
        return append(allowed, ",", "dv_flow_en=2");
    if (json_object_is_type(value, json_type_boolean))
        return !on || (append(allowed, ",", key) && append(allowed, "=", "1"));
    if (text_of(value) == NULL && !json_object_is_type(value, json_type_int))
        return false;
    return append(allowed, ",", key) && append(allowed, "=", json_object_get_string(value));
}

static bool describe_device(struct allowed *allowed, struct json_object *device)
{
    const char *kind = text_of(json_object_object_get(device, "device"));
    const char *id = text_of(json_object_object_get(device, "id"));
    bool described;

    if (kind == NULL || id == NULL)
        return false;
    if (strcmp(kind, "sf") == 0)
        described = append(allowed, "auxiliary:mlx5_core.sf.", id);
    else if (strcmp(kind, "pf") == 0 || strcmp(kind, "vf") == 0)
        described = append(allowed, id, "");
    else
        described = false;
    json_object_object_foreach (device, key, value)
        described = described && append_option(allowed, key, value);
    return described;
}

static doca_error_t add_pair(struct parser *parser, const char *flag, const char *value)
{
    if (!words_add(&parser->dpdk_words, flag) || !words_add(&parser->dpdk_words, value))
        return DOCA_ERROR_NO_MEMORY;
    return DOCA_SUCCESS;
}

static doca_error_t add_devices(struct parser *parser, struct json_object *devices)
{
    static const char expected[] =
            "an array of objects with the strings \"device\" (pf, vf or sf) "
            "and \"id\", and driver options, less than 256 characters in total";
    doca_error_t status = DOCA_SUCCESS;
    struct json_object *device;
    size_t i;

    if (!json_object_is_type(devices, json_type_array))
        return reject(parser, "devices", expected);
    for (i = 0; i < json_object_array_length(devices) && status == DOCA_SUCCESS; ++i) {
        struct allowed allowed = { 0 };

        device = json_object_array_get_idx(devices, i);
        if (json_object_is_type(device, json_type_object) && describe_device(&allowed, device))
            status = add_pair(parser, "-a", allowed.text);
        else
            status = reject(parser, "devices", expected);
    }
    return status;
}

static doca_error_t add_entry(struct parser *parser, const char *key, struct json_object *value)
{
    bool is_mask = strcmp(key, "core-mask") == 0;
    bool is_list = strcmp(key, "core-list") == 0;
    const char *text = text_of(value);

    if (strcmp(key, "devices") == 0)
        return add_devices(parser, value);
    if (!is_mask && !is_list && strcmp(key, "flags") != 0) {
        parser_report(parser,
                "in the file's doca_dpdk_flags, the key \"%s\" is unknown: use devices, "
                "core-mask, core-list or flags",
                text_quote(key).text);
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    if (text == NULL)
        return reject(parser, key, "a string");
    if (is_mask || is_list)
        return add_pair(parser, is_mask ? "-c" : "-l", text);
    return words_add_split(&parser->dpdk_words, text) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

doca_error_t json_dpdk_read(struct parser *parser, struct json_object *section)
{
    doca_error_t status = DOCA_SUCCESS;

    json_object_object_foreach (section, key, value) {
        status = add_entry(parser, key, value);
        if (status != DOCA_SUCCESS)
            break;
    }
    return status;
}
