/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with a parser: its callbacks write down what they get, its logger keeps what the parser
 * says, and its standard output is a file.
 */
#ifndef JUROM_ARGP_FIXTURE_H_
#define JUROM_ARGP_FIXTURE_H_

#include "cmocka_all.h"

#include <stdbool.h>

#include <doca_argp.h>

/* For cmocka: a parser, and an end of it. The parser has --name, --count, --fast and --each. */
int make_parser(void **state);
int end_parser(void **state);
/* The same without any flag. */
int make_empty_parser(void **state);

/* A flag with description and callback: the callback writes down "LONG_OR_SHORT=VALUE ". */
struct doca_argp_param *new_flag(
        const char *short_name, const char *long_name, enum doca_argp_type type);
/* Registers one, which has to be right. */
void add_flag(const char *short_name, const char *long_name, enum doca_argp_type type);
/* A command whose callback writes down "(NAME) ". One of: get, all. */
struct doca_argp_cmd *new_command(const char *name);

/* Starts the parser with the words of `line`, which begins with the program's name. */
doca_error_t start(const char *line);
/* Writes the text to a file and starts the parser with it. */
doca_error_t start_file(const char *text);
/* The same in another process; returns its exit code. What it prints counts as printed here. */
int start_elsewhere(const char *line);

/* Makes the callback of that flag fail. */
void refuse(const char *name, doca_error_t status);
/* Has callbacks write down what they get. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What was written down, what the parser said, what it printed: all since it was made. */
const char *noted(void);
const char *said(void);
const char *printed(void);
void assert_says(const char *part);

#endif /* JUROM_ARGP_FIXTURE_H_ */
