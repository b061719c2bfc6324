/* SPDX-License-Identifier: Apache-2.0 */
#include "launching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX 2048
#define FILE_MAX (1 << 20)

void launching_begin(struct launching *launching)
{
    static const char *const plugins[] = { WORKER_GRAPH ":1", WORKER_PUPPET ":2", NULL };

    worker_execute(&launching->worker, plugins);
    launching->frame = (struct wire_frame){ .type = WIRE_LAUNCH };
    worker_default_launch(&launching->worker, &launching->frame.launch, launching->environment);
}

void launching_go(struct launching *launching)
{
    struct worker_process *worker = &launching->worker;

    worker_tell(worker, &launching->frame);
    worker_configure(worker, LAUNCHED_MESSAGE_SIZE, NULL);
    worker_expect(worker, WIRE_READY);
    assert_int_equal(worker->pid, worker->answer.ready.process_id);
}

void launching_fails(struct launching *launching, doca_error_t status, const char *words)
{
    const struct wire_error *error = &launching->worker.answer.error;
    char text[TEXT_MAX];

    worker_tell(&launching->worker, &launching->frame);
    worker_expect(&launching->worker, WIRE_ERROR);
    snprintf(text, sizeof(text), "%.*s", (int)error->text.length, (const char *)error->text.data);
    if (strstr(text, words) == NULL)
        fail_msg("\"%s\" does not contain \"%s\"", text, words);
    assert_int_equal(status, error->status);
    worker_await_failure(&launching->worker);
}

char *launched_file(const struct launching *launching, const char *name)
{
    char *text = calloc(1, FILE_MAX);
    char path[64];
    size_t length;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)launching->worker.pid, name);
    file = fopen(path, "re");
    assert_non_null(file);
    length = fread(text, 1, FILE_MAX - 1, file);
    fclose(file);
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '\0')
            text[i] = ' ';
    }
    return text;
}

void launched_link(const struct launching *launching, const char *name, char target[PATH_MAX])
{
    char path[64];
    ssize_t length;

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)launching->worker.pid, name);
    length = readlink(path, target, PATH_MAX - 1);
    assert_true(length >= 0);
    target[length] = '\0';
}

void launched_assert(
        const struct launching *launching, const char *name, const char *text, bool expected)
{
    char *content = launched_file(launching, name);

    if ((strstr(content, text) != NULL) != expected)
        fail_msg("/proc/PID/%s %s \"%s\":\n%s", name, expected ? "lacks" : "has", text, content);
    free(content);
}

struct launching it;

int launching_set_up(void **state)
{
    (void)state;
    launching_begin(&it);
    return 0;
}

int launching_tear_down(void **state)
{
    (void)state;
    worker_clean_up(&it.worker);
    return 0;
}
