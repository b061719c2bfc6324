/* SPDX-License-Identifier: Apache-2.0 */
/* Flags and their values. The properties of a flag cannot be changed after its registration. */
#include "flag.h"

#include <stdlib.h>

#include "argp_text.h"

#define FIRST_CAPACITY 16

struct doca_argp_param *flag_new(void)
{
    return calloc(1, sizeof(struct doca_argp_param));
}

void flag_free(struct doca_argp_param *flag)
{
    if (flag == NULL)
        return;
    free(flag->short_name);
    free(flag->long_name);
    free(flag->arguments);
    free(flag->description);
    free(flag);
}

doca_error_t flag_check(const struct doca_argp_param *flag)
{
    if (flag->out_of_memory)
        return DOCA_ERROR_NO_MEMORY;
    if (flag->short_name == NULL && flag->long_name == NULL)
        return DOCA_ERROR_INITIALIZATION;
    if (flag->description == NULL || flag->type == DOCA_ARGP_TYPE_UNKNOWN)
        return DOCA_ERROR_INITIALIZATION;
    if (flag->callback == NULL && flag->builtin == BUILTIN_NONE)
        return DOCA_ERROR_INITIALIZATION;
    if (flag->short_name != NULL && !text_is_name(flag->short_name))
        return DOCA_ERROR_INVALID_VALUE;
    if (flag->long_name != NULL && !text_is_name(flag->long_name))
        return DOCA_ERROR_INVALID_VALUE;
    if (flag->type != DOCA_ARGP_TYPE_STRING && flag->type != DOCA_ARGP_TYPE_INT
            && flag->type != DOCA_ARGP_TYPE_BOOLEAN)
        return DOCA_ERROR_INVALID_VALUE;
    return DOCA_SUCCESS;
}

const char *flag_dashes(const struct doca_argp_param *flag)
{
    return flag->long_name != NULL ? "--" : "-";
}

const char *flag_name(const struct doca_argp_param *flag)
{
    return flag->long_name != NULL ? flag->long_name : flag->short_name;
}

static void set_text(struct doca_argp_param *flag, char **copy, const char *text)
{
    if (!flag->registered && !text_replace(copy, text))
        flag->out_of_memory = true;
}

static void set(struct doca_argp_param *flag, bool *property)
{
    if (!flag->registered)
        *property = true;
}

void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name)
{
    set_text(param, &param->short_name, name);
}

void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name)
{
    set_text(param, &param->long_name, name);
}

void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments)
{
    set_text(param, &param->arguments, arguments);
}

void doca_argp_param_set_description(struct doca_argp_param *param, const char *description)
{
    set_text(param, &param->description, description);
}

void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback)
{
    if (!param->registered)
        param->callback = callback;
}

void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type)
{
    if (!param->registered)
        param->type = type;
}

void doca_argp_param_set_mandatory(struct doca_argp_param *param)
{
    set(param, &param->mandatory);
}

void doca_argp_param_set_cli_only(struct doca_argp_param *param)
{
    set(param, &param->cli_only);
}

void doca_argp_param_set_multiplicity(struct doca_argp_param *param)
{
    set(param, &param->repeatable);
}

void doca_argp_param_set_singular(struct doca_argp_param *param)
{
    set(param, &param->singular);
}

void doca_argp_param_set_inherited(struct doca_argp_param *param)
{
    set(param, &param->inherited);
}

void doca_argp_param_set_hidden(struct doca_argp_param *param)
{
    set(param, &param->hidden);
}

bool flag_values_add(struct flag_values *values, const struct flag_value *value)
{
    size_t capacity = values->capacity == 0 ? FIRST_CAPACITY : 2 * values->capacity;
    struct flag_value *entries;

    if (values->count == values->capacity) {
        entries = reallocarray(values->entries, capacity, sizeof(*entries));
        if (entries == NULL)
            return false;
        values->entries = entries;
        values->capacity = capacity;
    }
    values->entries[values->count++] = *value;
    value->flag->occurrences++;
    return true;
}

void flag_values_clear(struct flag_values *values)
{
    for (size_t i = 0; i < values->count; ++i)
        values->entries[i].flag->occurrences = 0;
    free(values->entries);
    *values = (struct flag_values){ 0 };
}
