/* SPDX-License-Identifier: Apache-2.0 */
#include "argp_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_SIZE 8192
#define MAX_WORDS 32

static char notes[TEXT_SIZE], messages[TEXT_SIZE], output[TEXT_SIZE], words[TEXT_SIZE];
static int output_file = -1, own_output;
static const char *failing_callback;
static doca_error_t callback_status;
static int config;

static void append(char *text, const char *format, va_list arguments)
{
    size_t length = strlen(text);

    vsnprintf(text + length, TEXT_SIZE - length, format, arguments);
}

void note(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    append(notes, format, arguments);
    va_end(arguments);
}

static doca_error_t keep_message(enum doca_log_level level, const char *format, va_list arguments)
{
    assert_int_equal(DOCA_LOG_LEVEL_ERROR, level);
    append(messages, format, arguments);
    return DOCA_SUCCESS;
}

static doca_error_t answer(const char *name, void *given_config)
{
    assert_ptr_equal(&config, given_config);
    if (failing_callback != NULL && strcmp(failing_callback, name) == 0)
        return callback_status;
    return DOCA_SUCCESS;
}

static doca_error_t note_text(void *value, void *given_config)
{
    note("%s ", (const char *)value);
    return answer("text", given_config);
}

static doca_error_t note_number(void *value, void *given_config)
{
    note("%d ", *(int *)value);
    return answer("number", given_config);
}

static doca_error_t note_boolean(void *value, void *given_config)
{
    note("%s ", *(bool *)value ? "yes" : "no");
    return answer("boolean", given_config);
}

static doca_error_t note_get(void *given_config)
{
    note("(get) ");
    return answer("get", given_config);
}

static doca_error_t note_all(void *given_config)
{
    note("(all) ");
    return answer("all", given_config);
}

struct doca_argp_param *new_flag(
        const char *short_name, const char *long_name, enum doca_argp_type type)
{
    struct doca_argp_param *flag;

    assert_int_equal(DOCA_SUCCESS, doca_argp_param_create(&flag));
    if (short_name != NULL)
        doca_argp_param_set_short_name(flag, short_name);
    if (long_name != NULL)
        doca_argp_param_set_long_name(flag, long_name);
    doca_argp_param_set_description(flag, "Description of the flag");
    doca_argp_param_set_type(flag, type);
    doca_argp_param_set_callback(flag,
            type == DOCA_ARGP_TYPE_STRING        ? note_text
                    : type == DOCA_ARGP_TYPE_INT ? note_number
                                                 : note_boolean);
    return flag;
}

void add_flag(const char *short_name, const char *long_name, enum doca_argp_type type)
{
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(new_flag(short_name, long_name, type)));
}

struct doca_argp_cmd *new_command(const char *name)
{
    struct doca_argp_cmd *command;

    assert_int_equal(DOCA_SUCCESS, doca_argp_cmd_create(&command));
    doca_argp_cmd_set_name(command, name);
    doca_argp_cmd_set_description(command, "Description of the command");
    doca_argp_cmd_set_callback(command, strcmp(name, "get") == 0 ? note_get : note_all);
    return command;
}

int make_empty_parser(void **state)
{
    (void)state;
    notes[0] = messages[0] = '\0';
    failing_callback = NULL;
    fflush(stdout);
    output_file = memfd_create("output", MFD_CLOEXEC);
    own_output = dup(STDOUT_FILENO);
    dup2(output_file, STDOUT_FILENO);
    assert_int_equal(DOCA_SUCCESS, doca_argp_init(NULL, &config));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_logger_callback(keep_message));
    return 0;
}

int make_parser(void **state)
{
    struct doca_argp_param *each;

    make_empty_parser(state);
    add_flag("n", "name", DOCA_ARGP_TYPE_STRING);
    add_flag("cm", "count", DOCA_ARGP_TYPE_INT);
    add_flag("f", "fast", DOCA_ARGP_TYPE_BOOLEAN);
    each = new_flag("e", "each", DOCA_ARGP_TYPE_STRING);
    doca_argp_param_set_multiplicity(each);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(each));
    return 0;
}

int end_parser(void **state)
{
    (void)state;
    doca_argp_destroy();
    fflush(stdout);
    dup2(own_output, STDOUT_FILENO);
    close(own_output);
    close(output_file);
    return 0;
}

/* Splits the line into an array like argv, which is valid until the next call. */
static int split(const char *line, char **argv)
{
    char *position = words;
    int argc = 0;

    snprintf(words, sizeof(words), "%s", line);
    for (char *word; (word = strsep(&position, " ")) != NULL;)
        argv[argc++] = word;
    argv[argc] = NULL;
    return argc;
}

doca_error_t start(const char *line)
{
    static char *argv[MAX_WORDS];

    return doca_argp_start(split(line, argv), argv);
}

doca_error_t start_file(const char *text)
{
    int fd = memfd_create("flags", MFD_CLOEXEC);
    char line[64];
    doca_error_t status;

    assert_int_equal(strlen(text), write(fd, text, strlen(text)));
    snprintf(line, sizeof(line), "program -j /proc/self/fd/%d", fd);
    status = start(line);
    close(fd);
    return status;
}

int start_elsewhere(const char *line)
{
    int status;
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        start(line);
        fprintf(stderr, "start has returned\n");
        _exit(99);
    }
    assert_int_equal(pid, waitpid(pid, &status, 0));
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void fail_callback(const char *name, doca_error_t status)
{
    failing_callback = name;
    callback_status = status;
}

const char *noted(void)
{
    return notes;
}

const char *reported(void)
{
    return messages;
}

const char *printed(void)
{
    ssize_t length;

    fflush(stdout);
    length = pread(output_file, output, sizeof(output) - 1, 0);
    assert_true(length >= 0);
    output[length] = '\0';
    return output;
}

void assert_reported(const char *part)
{
    if (strstr(messages, part) == NULL)
        fail_msg("\"%s\" does not contain \"%s\"", messages, part);
}
