/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser of the process: what the program registered, and what was given. One at a time, for
 * one thread. It is made, started once, and destroyed; a callback may destroy it while it is being
 * started, and what start still uses of it then lives until start returns.
 */
#ifndef JUROM_ARGP_PARSER_H_
#define JUROM_ARGP_PARSER_H_

#include "command.h"
#include "given.h"
#include "words.h"

struct json_object;

struct parser {
    char *name;   /* of the program; NULL: start takes it from argv[0] */
    void *config; /* the program's */
    doca_argp_param_cb_t version_callback; /* NULL: none; so are the next three */
    doca_argp_validation_cb_t validation_callback;
    doca_argp_logger_cb_t logger_callback;
    doca_argp_dpdk_cb_t dpdk_callback;

    struct level own;     /* the parser's own flags */
    struct level program; /* flags and commands of the program */
    struct doca_argp_param *flags;  /* all that it owns, also those that were refused */
    struct doca_argp_cmd *commands;

    bool started;
    bool starting;
    bool destroyed;                 /* by a callback of its own */
    enum own_flag ending;           /* the flag that ends the process, or OWN_NONE */
    struct doca_argp_cmd *command;  /* the innermost that was given, or NULL */
    struct given_list given;
    struct json_object *file;       /* what was read of --json, or NULL */
    struct words dpdk_words;
    int log_level;                  /* 0: not given; so is the next */
    int sdk_log_level;
};

/* NULL: there is none. */
struct parser *parser_current(void);
/* Makes the current one. BAD_STATE: there is one. NO_MEMORY. */
doca_error_t parser_create(const char *name, void *config);
/* Frees the current one, at once or when its start returns. BAD_STATE: there is none. */
doca_error_t parser_destroy(void);
/* Around what start does with it. */
void parser_begin(struct parser *parser);
void parser_end(struct parser *parser);
/* They belong to it from now on; each once. */
void parser_own_flag(struct parser *parser, struct doca_argp_param *flag);
void parser_own_command(struct parser *parser, struct doca_argp_cmd *command);

/*
 * Of the flags that may be given behind the innermost command, the one of that name, or NULL: one
 * of the command's, else one that is inherited, else one of the parser's own.
 */
struct doca_argp_param *parser_find_short(const struct parser *parser, const char *name);
struct doca_argp_param *parser_find_long(const struct parser *parser, const char *name);
/* The flags and commands of the innermost command that was given, or else of the program. */
const struct level *parser_level(const struct parser *parser);
const struct level *parser_level_above(const struct parser *parser,
        const struct doca_argp_cmd *command);

#endif /* JUROM_ARGP_PARSER_H_ */
