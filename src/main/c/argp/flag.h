/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flag with the properties that the program has set. It owns copies of its texts. The program
 * owns it until it is registered, then the parser.
 */
#ifndef JUROM_ARGP_FLAG_H_
#define JUROM_ARGP_FLAG_H_

#include <stdbool.h>

#include <doca_argp.h>

/* Flags that the parser itself handles; BUILTIN_NONE: a flag of the program. */
enum builtin_flag {
    BUILTIN_NONE,
    BUILTIN_HELP,
    BUILTIN_VERSION,
    BUILTIN_LOG_LEVEL,
    BUILTIN_SDK_LOG_LEVEL,
    BUILTIN_JSON,
};

struct doca_argp_param {
    char *short_name;  /* NULL: none */
    char *long_name;   /* NULL: none */
    char *arguments;   /* NULL: none */
    char *description; /* NULL: not yet set */
    doca_argp_param_cb_t callback;
    enum doca_argp_type type;
    enum builtin_flag builtin;
    bool mandatory;
    bool cli_only;
    bool repeatable;
    bool singular;
    bool inherited;
    bool hidden;
    bool registered;
    bool out_of_memory;                 /* copying a text failed */
    size_t occurrences;                 /* on the command line or in the file */
    struct doca_argp_param *next;       /* next flag of its level, in registration order */
    struct doca_argp_param *next_owned; /* next flag that the parser owns */
};

/* A flag that was found, with its value. */
struct flag_value {
    struct doca_argp_param *flag;
    union {         /* by the flag's type */
        char *text; /* owned by argv or by the file */
        int number;
        bool yes;
    };
};

/* The flags found on the command line or in the file, in order. */
struct flag_values {
    struct flag_value *entries;
    size_t count;
    size_t capacity;
};

/* Allocates an empty flag. Returns NULL without memory. */
struct doca_argp_param *flag_new(void);
/* Frees a flag and its texts. NULL is allowed. */
void flag_free(struct doca_argp_param *flag);
/*
 * Checks whether the flag may be registered. INITIALIZATION: a mandatory property is not set.
 * INVALID_VALUE: a property is invalid. NO_MEMORY.
 */
doca_error_t flag_check(const struct doca_argp_param *flag);
/* Returns the prefix of the name for messages: "--" before a long name, "-" before a short one. */
const char *flag_dashes(const struct doca_argp_param *flag);
/* Returns the name for messages: the long name, or else the short one. */
const char *flag_name(const struct doca_argp_param *flag);

/* Appends a value and counts the flag's occurrence. Returns false without memory. */
bool flag_values_add(struct flag_values *values, const struct flag_value *value);
/* Frees the entries and resets the occurrences of their flags. */
void flag_values_clear(struct flag_values *values);

#endif /* JUROM_ARGP_FLAG_H_ */
