/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser of the process: registered flags and commands, and the values found. There is at most
 * one; not thread-safe. It is created, started once, and destroyed. A callback may destroy it
 * during the start; its memory then remains valid until the start returns.
 */
#ifndef JUROM_ARGP_PARSER_H_
#define JUROM_ARGP_PARSER_H_

#include "command.h"
#include "given.h"
#include "words.h"

struct json_object;

struct parser {
    char *name;                            /* name of the program; NULL: taken from argv[0] */
    void *config;                          /* configuration of the program */
    doca_argp_param_cb_t version_callback; /* NULL: none; so for the next three */
    doca_argp_validation_cb_t validation_callback;
    doca_argp_logger_cb_t logger_callback;
    doca_argp_dpdk_cb_t dpdk_callback;

    struct level own;              /* the parser's own flags */
    struct level program;          /* flags and commands of the program */
    struct doca_argp_param *flags; /* all that it owns, including rejected ones */
    struct doca_argp_cmd *commands;

    bool started;
    bool starting;
    bool destroyed;                /* destroyed by a callback during the start */
    enum own_flag ending;          /* the flag that ends the process, or OWN_NONE */
    struct doca_argp_cmd *command; /* innermost command found, or NULL */
    struct given_list given;
    struct json_object *file; /* content of the --json file, or NULL */
    struct words dpdk_words;
    int log_level; /* 0: not set; so for the next */
    int sdk_log_level;
};

/* Returns the current parser, or NULL. */
struct parser *parser_current(void);
/* Creates the current parser. BAD_STATE: it exists. NO_MEMORY. */
doca_error_t parser_create(const char *name, void *config);
/* Frees the current parser, now or when its start returns. BAD_STATE: there is none. */
doca_error_t parser_destroy(void);
/* Begin and end of a start. */
void parser_begin(struct parser *parser);
void parser_end(struct parser *parser);
/* Pass ownership of an unregistered flag or command to the parser. */
void parser_own_flag(struct parser *parser, struct doca_argp_param *flag);
void parser_own_command(struct parser *parser, struct doca_argp_cmd *command);

/*
 * Finds a flag that is valid after the innermost command, or returns NULL: a flag of the command,
 * else an inherited one, else an own flag of the parser.
 */
struct doca_argp_param *parser_find_short(const struct parser *parser, const char *name);
struct doca_argp_param *parser_find_long(const struct parser *parser, const char *name);
/*
 * Returns the level of the innermost command found, or of the program; the level above a command.
 */
const struct level *parser_level(const struct parser *parser);
const struct level *parser_level_above(
        const struct parser *parser, const struct doca_argp_cmd *command);

#endif /* JUROM_ARGP_PARSER_H_ */
