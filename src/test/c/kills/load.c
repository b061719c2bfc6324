/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include <doca_buf.h>
#include <jurom/urom_graph.h>
#include <stdio.h>
#include <string.h>

#include "control.h"

static struct load *running; /* global, since a completion callback only receives its task */

static uint64_t number_below(struct load *load, uint64_t limit)
{
    load->random ^= load->random << 13;
    load->random ^= load->random >> 7;
    load->random ^= load->random << 17;
    return load->random % limit;
}

/* Writes text that is unique among the commands of this host. */
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

static void write_command(struct load *load, struct load_command *it)
{
    const struct puppet_command what = { .act = load->held ? PUPPET_HOLD : PUPPET_ECHO };

    write_text(load, it);
    command_write(&it->command, what, it->text);
}

static void write_loopback(struct load *load, struct load_command *it)
{
    struct urom_worker_graph_cmd loopback = { .type = UROM_WORKER_CMD_GRAPH_LOOPBACK };
    struct doca_buf *payload = doca_urom_worker_cmd_task_get_payload(it->command.task);
    void *data;

    it->number = loopback.loopback.data = ++load->number;
    assert_success(doca_buf_get_data(payload, &data));
    assert_success(doca_buf_set_data(payload, data, sizeof(loopback)));
    memcpy(data, &loopback, sizeof(loopback));
}

static void submit(struct load *load, struct load_command *it)
{
    doca_error_t status;

    if (load->loopback)
        write_loopback(load, it);
    else
        write_command(load, it);
    it->submitted = now_ns();
    status = doca_task_submit(doca_urom_worker_cmd_task_as_task(it->command.task));
    if (status != DOCA_SUCCESS) { /* the context is stopping, which its state will show */
        load->ending = true;
        return;
    }
    it->in_flight = true;
    ++load->in_flight;
}

static bool is_right(const struct load_command *it)
{
    const struct puppet_notification *answer = answer_of(&it->command);

    return text_length(&it->command) >= it->length
            && memcmp(answer->bytes + text_length(&it->command) - it->length, it->text, it->length)
            == 0;
}

static bool is_looped_back(const struct load_command *it)
{
    struct urom_worker_notify_graph answer;
    struct doca_buf *response = doca_urom_worker_cmd_task_get_response(it->command.task);
    size_t length;
    void *data;

    assert_success(doca_buf_get_data(response, &data));
    assert_success(doca_buf_get_data_len(response, &length));
    if (length != sizeof(answer))
        return false;
    memcpy(&answer, data, sizeof(answer));
    return answer.loopback.data == it->number;
}

static void note_answer(struct load *load, const struct load_command *it, uint64_t now)
{
    uint64_t step = (now - it->submitted) / LOAD_STEP_NS;

    ++load->answers;
    ++load->times[step < LOAD_TIMES ? step : LOAD_TIMES - 1];
    load->wrong += load->loopback ? !is_looped_back(it) : !is_right(it);
    if (!load->loopback)
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
        if (running->pause_us == 0 && !running->ending)
            submit(running, it);
        else if (running->in_flight == 0)
            running->resume = now + 1000u * number_below(running, running->pause_us + 1u);
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

void load_continue(struct load *load)
{
    if (load->pause_us == 0 || load->ending || load->in_flight > 0 || now_ns() < load->resume)
        return;
    for (unsigned i = 0; i < load->count && !load->ending; ++i)
        submit(load, &load->commands[i]);
}

int load_pause_ms(const struct load *load)
{
    uint64_t now = now_ns();

    if (load->pause_us == 0 || load->ending || load->in_flight > 0)
        return -1;
    return load->resume <= now ? 0 : (int)((load->resume - now) / 1000000u) + 1;
}

uint64_t load_quantile(const struct load *load, double share)
{
    uint64_t count = 0, seen = 0;

    for (unsigned i = 0; i < LOAD_TIMES; ++i)
        count += load->times[i];
    for (unsigned i = 0; i < LOAD_TIMES; ++i) {
        seen += load->times[i];
        if (seen > 0 && (double)seen >= share * (double)count)
            return (i + 1) * (uint64_t)LOAD_STEP_NS;
    }
    return 0;
}

void load_release(struct load *load)
{
    for (unsigned i = 0; i < load->count; ++i)
        command_release(&load->commands[i].command);
    load->count = 0;
}
