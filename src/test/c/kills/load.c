/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include <doca_buf.h>
#include <stdio.h>
#include <string.h>

#include "orders.h"

static struct load *running; /* one a process: a completion callback is told of its task alone */

static uint64_t number_below(struct load *load, uint64_t limit)
{
    load->random ^= load->random << 13;
    load->random ^= load->random >> 7;
    load->random ^= load->random << 17;
    return load->random % limit;
}

/* Bytes that no other command of this host has. */
static void write_text(struct load *load, struct load_command *it)
{
    it->number = ++load->number;
    it->length = 24 + number_below(load, load->length_max);
    for (size_t i = 0; i < it->length; ++i)
        it->text[i] = (char)('!' + (it->number * 31 + i * 7 + i / 90) % 90);
    it->text[it->length] = '\0';
    snprintf(it->text, it->length, "%020lu", it->number);
    it->text[20] = ' ';
}

static void submit(struct load *load, struct load_command *it)
{
    const struct puppet_command what = { .act = load->held ? PUPPET_HOLD : PUPPET_ECHO };
    doca_error_t status;

    write_text(load, it);
    command_write(&it->command, what, it->text);
    it->submitted = now_ns();
    status = doca_task_submit(doca_urom_worker_cmd_task_as_task(it->command.task));
    if (status != DOCA_SUCCESS) { /* the context has ended meanwhile, and will say so */
        load->ending = true;
        return;
    }
    it->in_flight = true;
    ++load->in_flight;
}

static bool is_right(const struct load_command *it)
{
    const struct puppet_notification *answer = answer_of(&it->command);

    return text_length(&it->command) >= it->length &&
           memcmp(answer->bytes + text_length(&it->command) - it->length, it->text, it->length) == 0;
}

static void note_answer(struct load *load, const struct load_command *it, uint64_t now)
{
    ++load->answers;
    load->wrong += !is_right(it);
    load->process = (pid_t)answer_of(&it->command)->process_id;
    if (now - it->submitted > load->slowest_ns)
        load->slowest_ns = now - it->submitted;
}

static void completed(struct test_command *command)
{
    struct load_command *it = (struct load_command *)(void *)command;
    uint64_t now = now_ns();

    it->in_flight = false;
    --running->in_flight;
    if (command->status == DOCA_SUCCESS) {
        note_answer(running, it, now);
        if (running->rest_us == 0 && !running->ending)
            submit(running, it);
        else if (running->in_flight == 0)
            running->resume = now + 1000u * number_below(running, running->rest_us + 1u);
        return;
    }
    running->ending = true;
    ++running->failures;
    if (running->first_failure == 0)
        running->first_failure = now;
}

void load_begin(struct load *load, const struct test_worker *worker, uint64_t plugin)
{
    running = load;
    for (unsigned i = 0; i < load->count; ++i) {
        command_new(&load->commands[i].command, worker, plugin);
        load->commands[i].command.on_completion = completed;
    }
    for (unsigned i = 0; i < load->count && !load->ending; ++i)
        submit(load, &load->commands[i]);
}

void load_go_on(struct load *load)
{
    if (load->rest_us == 0 || load->ending || load->in_flight > 0 || now_ns() < load->resume)
        return;
    for (unsigned i = 0; i < load->count && !load->ending; ++i)
        submit(load, &load->commands[i]);
}

int load_rests_ms(const struct load *load)
{
    uint64_t now = now_ns();

    if (load->rest_us == 0 || load->ending || load->in_flight > 0)
        return -1;
    return load->resume <= now ? 0 : (int)((load->resume - now) / 1000000u) + 1;
}

void load_end(struct load *load)
{
    for (unsigned i = 0; i < load->count; ++i)
        command_release(&load->commands[i].command);
    load->count = 0;
}
