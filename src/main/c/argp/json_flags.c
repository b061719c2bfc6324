/* SPDX-License-Identifier: Apache-2.0 */
#include "argp.h"

#include <limits.h>
#include <string.h>

#include <json-c/json_object.h>
#include <json-c/linkhash.h>

#include "argp_text.h"

static doca_error_t reject_key(const struct parser *parser, const char *key)
{
    parser_report(parser, "the key \"%s\" in the file is not a flag of this program",
            text_quote(key).text);
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t reject_value(
        const struct parser *parser, const struct doca_argp_param *flag, const char *expected)
{
    parser_report(parser, "the file's value of \"%s\" must be %s", flag->long_name, expected);
    return DOCA_ERROR_INVALID_VALUE;
}

/*
 * Stores a JSON value by its flag's type. Returns the expected type if the value has another one,
 * else NULL.
 */
static const char *convert_value(struct json_object *json, struct flag_value *value)
{
    int64_t number;

    switch (value->flag->type) {
    case DOCA_ARGP_TYPE_STRING:
        if (!json_object_is_type(json, json_type_string)
                || strlen(json_object_get_string(json)) != (size_t)json_object_get_string_len(json))
            return "a string";
        value->text = (char *)json_object_get_string(json);
        return NULL;
    case DOCA_ARGP_TYPE_INT:
        number = json_object_get_int64(json);
        if (!json_object_is_type(json, json_type_int) || number < INT_MIN || number > INT_MAX)
            return "a number from -2147483648 to 2147483647";
        value->number = (int)number;
        return NULL;
    default:
        if (!json_object_is_type(json, json_type_boolean))
            return "true or false";
        value->yes = json_object_get_boolean(json);
        return NULL;
    }
}

static doca_error_t add_value(
        struct parser *parser, struct doca_argp_param *flag, struct json_object *json)
{
    struct flag_value value = { .flag = flag };
    const char *expected = convert_value(json, &value);

    if (expected != NULL)
        return reject_value(parser, flag, expected);
    return flag_values_add(&parser->values, &value) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

static doca_error_t add_flag(struct parser *parser, const struct level *level, const char *key,
        struct json_object *value)
{
    struct doca_argp_param *flag = level_find_long(level, key);
    doca_error_t status = DOCA_SUCCESS;
    size_t i;

    if (flag == NULL || flag->cli_only)
        return reject_key(parser, key);
    if (!flag->repeatable || !json_object_is_type(value, json_type_array))
        return add_value(parser, flag, value);
    for (i = 0; i < json_object_array_length(value) && status == DOCA_SUCCESS; ++i)
        status = add_value(parser, flag, json_object_array_get_idx(value, i));
    return status;
}

static doca_error_t add_flags(
        struct parser *parser, const struct level *level, struct json_object *section)
{
    doca_error_t status = DOCA_SUCCESS;

    json_object_object_foreach (section, key, value) {
        status = add_flag(parser, level, key, value);
        if (status != DOCA_SUCCESS)
            break;
    }
    return status;
}

static doca_error_t read_section(
        struct parser *parser, const char *name, struct json_object *section)
{
    if (!json_object_is_type(section, json_type_object)) {
        parser_report(parser, "the file's \"%s\" must be an object", text_quote(name).text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (strcmp(name, "doca_general_flags") == 0)
        return add_flags(parser, &parser->builtin_flags, section);
    if (strcmp(name, "doca_program_flags") == 0)
        return add_flags(parser, &parser->program, section);
    return reject_key(parser, name);
}

doca_error_t json_flags_read(struct parser *parser)
{
    doca_error_t status = DOCA_SUCCESS;

    json_object_object_foreach (parser->file, name, section) {
        status = read_section(parser, name, section);
        if (status != DOCA_SUCCESS)
            break;
    }
    return status;
}
