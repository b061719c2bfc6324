/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any arguments and any --json file result in calls or an error. The first byte
 * of an input selects arguments or a file; the rest is the
 * file, or words terminated by NUL. Options that exit the process return to the fuzzer.
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <doca_argp.h>

#define MAX_WORDS 64
#define AS_FILE 1

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));

static jmp_buf ended;
static bool may_end;
static int config;

void __wrap_exit(int status)
{
    if (may_end)
        longjmp(ended, 1);
    __real_exit(status);
}

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Reads every byte of the text, so that the sanitizer checks it. */
static doca_error_t take_text(void *value, void *given_config)
{
    require(given_config == &config);
    return strchr(value, 'x') != NULL ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS;
}

static doca_error_t take_number(void *value, void *given_config)
{
    require(given_config == &config);
    return *(int *)value == 77 ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS;
}

static doca_error_t take_yes(void *value, void *given_config)
{
    require(given_config == &config);
    return *(bool *)value ? DOCA_SUCCESS : DOCA_ERROR_AGAIN;
}

static doca_error_t take_command(void *given_config)
{
    require(given_config == &config);
    return DOCA_SUCCESS;
}

static doca_error_t take_message(enum doca_log_level level, const char *format, va_list arguments)
{
    char message[512];

    require(level == DOCA_LOG_LEVEL_ERROR);
    vsnprintf(message, sizeof(message), format, arguments);
    return DOCA_SUCCESS;
}

static struct doca_argp_param *make_flag(const char *short_name, const char *long_name,
        enum doca_argp_type type, doca_argp_param_cb_t callback)
{
    struct doca_argp_param *flag = NULL;

    require(doca_argp_param_create(&flag) == DOCA_SUCCESS);
    doca_argp_param_set_short_name(flag, short_name);
    doca_argp_param_set_long_name(flag, long_name);
    doca_argp_param_set_description(flag, "a flag");
    doca_argp_param_set_type(flag, type);
    doca_argp_param_set_callback(flag, callback);
    return flag;
}

static struct doca_argp_cmd *make_command(const char *name)
{
    struct doca_argp_cmd *command = NULL;

    require(doca_argp_cmd_create(&command) == DOCA_SUCCESS);
    doca_argp_cmd_set_name(command, name);
    doca_argp_cmd_set_description(command, "a command");
    doca_argp_cmd_set_callback(command, take_command);
    return command;
}

static void make_parser(void)
{
    struct doca_argp_param *each = make_flag("e", "each", DOCA_ARGP_TYPE_STRING, take_text);
    struct doca_argp_param *alone = make_flag(NULL, "alone", DOCA_ARGP_TYPE_BOOLEAN, take_yes);
    struct doca_argp_cmd *get = make_command("get"), *all = make_command("all");

    doca_argp_param_set_multiplicity(each);
    doca_argp_param_set_inherited(each);
    doca_argp_param_set_singular(alone);
    doca_argp_register_param(make_flag("n", "name", DOCA_ARGP_TYPE_STRING, take_text));
    doca_argp_register_param(make_flag("c", "count", DOCA_ARGP_TYPE_INT, take_number));
    doca_argp_register_param(make_flag("f", "fast", DOCA_ARGP_TYPE_BOOLEAN, take_yes));
    doca_argp_register_param(each);
    doca_argp_register_param(alone);
    doca_argp_cmd_register_param(all, make_flag("v", "very", DOCA_ARGP_TYPE_INT, take_number));
    doca_argp_cmd_register_cmd(get, all);
    doca_argp_register_cmd(get);
    doca_argp_register_logger_callback(take_message);
}

static int split(char *text, size_t size, char **words)
{
    int count = 0;

    words[count++] = "fuzzed";
    for (size_t i = 0; i < size && count < MAX_WORDS; i += strlen(text + i) + 1)
        words[count++] = text + i;
    words[count] = NULL;
    return count;
}

static void start(char *text, size_t size, bool as_file)
{
    char *words[MAX_WORDS + 1], path[64];
    int fd = -1, count;

    if (as_file) {
        fd = memfd_create("flags", MFD_CLOEXEC);
        require(write(fd, text, size) == (ssize_t)size);
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        count = 3;
        words[0] = "fuzzed";
        words[1] = "--json";
        words[2] = path;
        words[3] = NULL;
    } else {
        count = split(text, size, words);
    }
    may_end = true;
    if (setjmp(ended) == 0)
        doca_argp_start(count, words);
    may_end = false;
    if (fd >= 0)
        close(fd);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    require(freopen("/dev/null", "w", stdout) != NULL);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text;

    if (size == 0)
        return 0;
    text = calloc(1, size);
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    require(doca_argp_init("fuzzed", &config) == DOCA_SUCCESS);
    make_parser();
    start(text, size - 1, (data[0] & AS_FILE) != 0);
    doca_argp_destroy();
    free(text);
    return 0;
}
