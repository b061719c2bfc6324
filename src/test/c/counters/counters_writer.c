/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates a host's counter file for the reader in Java: `counters_writer SOCKET` creates it in the
 * directory of SOCKET, prints its path, and runs until standard input ends. Value i is 1000 + i,
 * bucket i of the histogram is i, and there are two errors, the second of which occurred three
 * times.
 */
#include <stdio.h>

#include <counters/host_counters.h>

#define FIRST 1000

static void fill(struct counters *counters)
{
    for (unsigned i = 0; i < COUNTERS_VALUES; ++i)
        counters_set(counters, i, FIRST + i);
    for (unsigned i = 0; i < COUNTERS_BUCKETS; ++i)
        counters->histogram[i] = i;
    counters_note(counters, COUNTERS_WORKER_EXITED, DOCA_SUCCESS);
    for (int i = 0; i < 3; ++i)
        counters_note(counters, COUNTERS_COMMAND_FAILED, DOCA_ERROR_FULL);
    snprintf(counters->errors[1].text, COUNTERS_TEXT, "An error \033[31mwith a colour");
}

int main(int argc, char **argv)
{
    static struct counters_file file;

    if (argc != 2 || !counters_open(&file, argv[1]))
        return 1;
    fill(file.counters);
    printf("%s %lu\n", file.path, file.counters->ticks_per_second);
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    counters_close(&file);
    return 0;
}
