/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with a parser: its callbacks record their values, its logger records messages, and its
 * standard output is a file.
 */
#ifndef JUROM_ARGP_FIXTURE_H_
#define JUROM_ARGP_FIXTURE_H_

#include "cmocka_all.h"

#include <stdbool.h>

#include <doca_argp.h>

/* Setup and teardown of cmocka: a parser with the flags --name, --count, --fast and --each. */
int make_parser(void **state);
int end_parser(void **state);
/* Setup: a parser without flags. */
int make_empty_parser(void **state);

/* Creates a flag with a description and a callback, which records "VALUE ". */
struct doca_argp_param *new_flag(
        const char *short_name, const char *long_name, enum doca_argp_type type);
/* Creates and registers a flag. */
void add_flag(const char *short_name, const char *long_name, enum doca_argp_type type);
/* Creates a command, get or all, whose callback records "(NAME) ". */
struct doca_argp_cmd *new_command(const char *name);

/* Starts the parser with the words of `line`, which begins with the program's name. */
doca_error_t start(const char *line);
/* Writes the text to a file and starts the parser with it. */
doca_error_t start_file(const char *text);
/* Starts the parser in a child process, and returns its exit code. Output is shared. */
int start_elsewhere(const char *line);

/* Sets the callback that fails: text, number, boolean, get or all. */
void fail_callback(const char *name, doca_error_t status);
/* Records text of a callback. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Return all text since the setup: recorded by callbacks, reported as errors, printed. */
const char *noted(void);
const char *reported(void);
const char *printed(void);
/* Fails unless the reported errors contain `part`. */
void assert_reported(const char *part);

#endif /* JUROM_ARGP_FIXTURE_H_ */
