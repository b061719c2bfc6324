/* SPDX-License-Identifier: Apache-2.0 */
/* A process that exports memory to the test and performs one step for each byte received. */
#ifndef JUROM_TEST_EXPORTER_H_
#define JUROM_TEST_EXPORTER_H_

#include "memory.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <common/mmap.h>

#define EXPORTER_SIZE 40000

struct exporter {
    pid_t process;
    int to;
    int from;
    struct mmap_descriptor descriptor;
};

/* Fills the memory of an exporter with a pattern that does not repeat. */
static inline void exporter_fill(uint8_t *bytes)
{
    size_t i;

    for (i = 0; i < EXPORTER_SIZE; ++i)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
}

static inline void answer_or_leave(int fd, const void *answer, size_t length)
{
    if (write(fd, answer, length) != (ssize_t)length)
        _exit(2);
}

/* Exports a map; sends its content at 'c', stops the map at 's', and exits at end of file. */
static inline void run_exporter(int in, int out, struct doca_dev *dev, uint8_t *bytes)
{
    struct doca_mmap *mmap;
    const void *descriptor;
    size_t length;
    char step;

    exporter_fill(bytes);
    mmap = map_range(dev, bytes, EXPORTER_SIZE, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    if (doca_mmap_export_pci(mmap, dev, &descriptor, &length) != DOCA_SUCCESS)
        _exit(1);
    answer_or_leave(out, descriptor, length);
    while (read(in, &step, 1) == 1) {
        if (step == 's' && doca_mmap_stop(mmap) != DOCA_SUCCESS)
            _exit(1);
        answer_or_leave(out, bytes, EXPORTER_SIZE);
    }
    _exit(0);
}

static inline void read_whole(int fd, void *to, size_t length)
{
    size_t done = 0;
    ssize_t got;

    while (done < length) {
        got = read(fd, (char *)to + done, length - done);
        assert_true(got > 0);
        done += (size_t)got;
    }
}

/* Returns how many pages of exports this process has open. */
static inline unsigned pages_of_exports(void)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    unsigned count = 0;

    while ((entry = readdir(folder)) != NULL) {
        char target[64] = "";

        if (readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1) > 0
                && strncmp(target, "/memfd:doca_mmap_exports", 24) == 0)
            count++;
    }
    closedir(folder);
    return count;
}

/* Starts a process that exports its copy of `bytes`, filled by exporter_fill. */
static inline void exporter_start(struct exporter *exporter, struct doca_dev *dev, uint8_t *bytes)
{
    int to[2], from[2];

    assert_int_equal(0, pipe(to));
    assert_int_equal(0, pipe(from));
    exporter->process = fork();
    assert_true(exporter->process >= 0);
    if (exporter->process == 0) {
        close(to[1]);
        close(from[0]);
        run_exporter(to[0], from[1], dev, bytes);
    }
    close(to[0]);
    close(from[1]);
    exporter->to = to[1];
    exporter->from = from[0];
    read_whole(exporter->from, &exporter->descriptor, sizeof(exporter->descriptor));
}

/* Requests a step and receives the resulting content. */
static inline void exporter_step(struct exporter *exporter, char what, uint8_t *its_bytes)
{
    assert_int_equal(1, write(exporter->to, &what, 1));
    read_whole(exporter->from, its_bytes, EXPORTER_SIZE);
}

/* Stops the process and fails unless it exits with code 0. */
static inline void exporter_end(struct exporter *exporter)
{
    int status;

    close(exporter->to);
    close(exporter->from);
    assert_int_equal(exporter->process, waitpid(exporter->process, &status, 0));
    assert_int_equal(0, status);
}

#endif /* JUROM_TEST_EXPORTER_H_ */
