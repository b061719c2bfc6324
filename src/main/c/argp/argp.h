/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser of the process, which owns the registered flags and commands, and the steps of a
 * start. There is at most one parser; it is not thread-safe. It is created, started once, and
 * destroyed. A callback may destroy it during the start; its memory then remains valid until the
 * start returns.
 */
#ifndef JUROM_ARGP_H_
#define JUROM_ARGP_H_

#include "argp_command.h"
#include "argp_text.h"

struct json_object;

struct parser {
    char *name;                                    /* of the program; NULL: taken from argv[0] */
    void *config;                                  /* configuration of the program */
    doca_argp_param_cb_t version_callback;         /* NULL: none */
    doca_argp_validation_cb_t validation_callback; /* NULL: none */
    doca_argp_logger_cb_t logger_callback;         /* NULL: none */
    bool uses_dpdk;                                /* it cannot start */

    struct level builtin_flags;    /* flags that the parser itself handles */
    struct level program;          /* flags and commands of the program */
    struct doca_argp_param *flags; /* all that it owns, including rejected ones */
    struct doca_argp_cmd *commands;

    bool started;
    bool starting;
    bool destroyed;                /* destroyed by a callback during the start */
    enum builtin_flag exit_flag;   /* --help or --version if present, or BUILTIN_NONE */
    struct doca_argp_cmd *command; /* innermost command found, or NULL */
    struct flag_values values;
    struct json_object *file; /* content of the --json file, or NULL */
    int log_level;            /* 0: not set */
    int sdk_log_level;        /* 0: not set */
};

/* parser.c */

/* Returns the current parser, or NULL. */
struct parser *parser_current(void);
/* Creates the current parser. BAD_STATE: it exists. NO_MEMORY. */
doca_error_t parser_create(const char *name, void *config);
/* Frees the current parser, now or when its start returns. BAD_STATE: there is none. */
doca_error_t parser_destroy(void);
/* Marks the begin of a start. */
void parser_begin(struct parser *parser);
/* Marks the end of a start, and frees a parser that a callback destroyed. */
void parser_end(struct parser *parser);
/* Passes ownership of an unregistered flag to the parser. */
void parser_own_flag(struct parser *parser, struct doca_argp_param *flag);
/* Passes ownership of an unregistered command to the parser. */
void parser_own_command(struct parser *parser, struct doca_argp_cmd *command);
/*
 * Finds by its short name a flag that is valid after the innermost command, or returns NULL: a flag
 * of the command, else an inherited one, else a built-in flag.
 */
struct doca_argp_param *parser_find_short(const struct parser *parser, const char *name);
/* Finds a flag likewise by its long name. */
struct doca_argp_param *parser_find_long(const struct parser *parser, const char *name);
/* Returns the level of the innermost command found, or of the program. */
const struct level *parser_level(const struct parser *parser);
/* Returns the level that contains the command. */
const struct level *parser_level_above(
        const struct parser *parser, const struct doca_argp_cmd *command);
/*
 * Passes an error message, without a full stop, to the program's logger, or else prints it to
 * standard error.
 */
void parser_report(const struct parser *parser, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

/* builtin_flags.c: help, version, log levels and JSON file */

/* Registers the built-in flags. NO_MEMORY. */
doca_error_t builtin_flags_add(struct parser *parser);
/*
 * Returns whether a flag of the program may have its names: they must differ from those of the
 * built-in flags, except that a command's flag may have their short names other than that of the
 * JSON file.
 */
bool builtin_flags_allow(
        const struct parser *parser, const struct doca_argp_param *flag, bool of_command);
/* Returns whether the number is a doca_log_level. */
bool builtin_flags_is_log_level(int number);
/* Applies the log level of the flag. */
doca_error_t builtin_flags_apply_log_level(struct parser *parser, const struct flag_value *value);

/* arguments.c: the command line: commands, then flags with their values */

/*
 * Reads all words, or up to a flag that exits the process, and reports errors to the user.
 * NOT_SUPPORTED: an unknown flag or command. INVALID_VALUE: an invalid value. NO_MEMORY. The words
 * must outlive the parser.
 */
doca_error_t arguments_read(struct parser *parser, int count, char **words);

/* json_file.c: a JSON file with the extensions of json-c: comments and trailing commas */

#define JSON_FILE_MAX (1024 * 1024) /* bytes */

/*
 * Reads the file into parser->file, and reports errors to the user. IO_FAILED: it cannot be read,
 * is too large, or is not JSON. INVALID_VALUE: it is not an object. NO_MEMORY.
 */
doca_error_t json_file_read(struct parser *parser, const char *path);

/* json_flags.c: flags in a file: doca_general_flags, doca_program_flags */

/*
 * Adds the flags of parser->file, and reports errors to the user. NOT_SUPPORTED: a key that is not
 * a flag. INVALID_VALUE: a value of the wrong type. NO_MEMORY.
 */
doca_error_t json_flags_read(struct parser *parser);

/* validation.c: validation of the flags and values as a whole */

/*
 * Reports the first error to the user. INVALID_VALUE: a repeated flag, a singular flag with others,
 * a missing mandatory flag, or an invalid log level.
 */
doca_error_t validate_flags(const struct parser *parser);

/* callbacks.c: the program's callbacks, called after successful validation */

/*
 * Calls the callbacks of the commands, outermost first; of the flags, in the order found; and of
 * the validation. Returns the first error and reports it to the user. BAD_STATE: a
 * callback destroyed the parser; no further one is called.
 */
doca_error_t run_callbacks(struct parser *parser);

/* usage.c: usage and version, on standard output */

/* Prints the usage of the innermost command found, or of the program. */
void usage_print(const struct parser *parser);
/* Prints the version of the headers and of the libraries. */
void usage_print_version(const struct parser *parser);

#endif /* JUROM_ARGP_H_ */
