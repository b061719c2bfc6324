/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the plugin in this process, as a worker does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_urom_plugin.h>

#include "word_count.h"

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface);

static struct urom_worker_ctx ctx;

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}

/* Executes a command of `length` bytes. */
static doca_error_t execute(const void *bytes, size_t length)
{
    struct urom_worker_cmd_desc *desc = calloc(1, sizeof(*desc) + length);
    ucs_list_link_t commands;

    require(desc != NULL, "memory for a command");
    desc->worker_cmd.len = length;
    memcpy(desc->worker_cmd.plugin_cmd, bytes, length);
    ucs_list_head_init(&commands);
    ucs_list_add_tail(&commands, &desc->entry);
    return ctx.iface.worker_cmd(&ctx, &commands);
}

/* Takes the answer to the last command. */
static struct word_count_answer take_answer(void)
{
    struct word_count_answer answer;
    struct urom_worker_notif_desc *notif;
    ucs_list_link_t notifs;

    ucs_list_head_init(&notifs);
    require(ctx.iface.progress(&ctx, &notifs) == DOCA_SUCCESS, "progress returns an answer");
    notif = ucs_list_extract_head(&notifs, struct urom_worker_notif_desc, entry);
    require(notif->worker_notif.len == sizeof(answer), "the answer has the size of its struct");
    memcpy(&answer, notif->worker_notif.plugin_notif, sizeof(answer));
    free(notif);
    return answer;
}

int main(void)
{
    static const char text[] = "one,two  three";
    struct word_count_command command = { .separator = ',', .length = sizeof(text) - 1 };
    uint8_t bytes[sizeof(command) + sizeof(text) - 1];
    struct word_count_answer answer;

    require(urom_plugin_get_iface(&ctx.iface) == DOCA_SUCCESS, "get_iface");
    require(ctx.iface.open(&ctx) == DOCA_SUCCESS, "open");
    memcpy(bytes, &command, sizeof(command));
    memcpy(bytes + sizeof(command), text, sizeof(text) - 1);

    require(execute(bytes, sizeof(bytes)) == DOCA_SUCCESS, "a command is executed");
    answer = take_answer();
    require(answer.words == 3 && answer.longest == 5, "three words, the longest of five bytes");
    for (size_t length = 0; length < sizeof(bytes); ++length)
        require(execute(bytes, length) == DOCA_ERROR_INVALID_VALUE, "a short command is rejected");
    ctx.iface.close(&ctx);
    return 0;
}
