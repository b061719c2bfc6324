/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forged descriptors, and processes that took the place of the exporter: a child, a later program,
 * and a process with the same id.
 */
#include "exporter.h"
#include "memory.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <common/mmap_access.h>

#define SIZE EXPORTER_SIZE
#define WORD sizeof(uint64_t)
#define WORDS (sizeof(struct mmap_descriptor) / WORD)
#define AS_EXPORTER "exporter"

static struct doca_dev *dev;
static uint8_t bytes[SIZE];

static int open_device(void **state)
{
    (void)state;
    dev = open_soft0();
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    return doca_dev_close(dev);
}

static doca_error_t import(const void *descriptor, size_t length, struct doca_mmap **mmap)
{
    return doca_mmap_create_from_export(NULL, descriptor, length, dev, mmap);
}

/* Fails if the import grants anything but the range that was exported. */
static void assert_grants_no_more(const void *descriptor, size_t length)
{
    struct doca_mmap *imported;
    void *address;
    size_t size;

    if (import(descriptor, length, &imported) != DOCA_SUCCESS)
        return;
    assert_ok(doca_mmap_get_memrange(imported, &address, &size));
    assert_ptr_equal(bytes, address);
    assert_int_equal(SIZE, size);
    assert_ok(doca_mmap_destroy(imported));
}

/*
 * A peer determines some bytes of each process that serves it. Here it writes the end of a
 * descriptor into the memory of the exporter, with one word changed, and has another word refer to
 * it.
 */
static void bytes_in_the_memory_of_a_process_prove_no_export(void **state)
{
    uint64_t words[WORDS], tail[WORDS];
    struct exporter exporter;
    struct doca_mmap *imported;
    size_t begin, changed, referring;

    (void)state;
    exporter_start(&exporter, dev, bytes);
    assert_ok(import(&exporter.descriptor, sizeof(exporter.descriptor), &imported));
    for (begin = 0; begin < WORDS; ++begin)
        for (changed = begin; changed < WORDS; ++changed)
            for (referring = 0; referring < WORDS; ++referring) {
                memcpy(words, &exporter.descriptor, sizeof(words));
                words[changed] += 8;
                memcpy(tail, words + begin, (WORDS - begin) * WORD);
                assert_ok(priv_doca_mmap_write(imported, bytes, tail, (WORDS - begin) * WORD));
                words[referring] = (uintptr_t)bytes;
                assert_grants_no_more(words, sizeof(words));
            }
    assert_ok(doca_mmap_destroy(imported));
    exporter_end(&exporter);
}

/* A memfd of a process: a page of exports, or a file that differs from it in one respect. */
struct page_case {
    const char *name;
    unsigned seals;
    off_t size;
    uint64_t process; /* difference */
    uint64_t cookie;  /* difference */
    uid_t owner;
    doca_error_t expected;
};

#define NAME "doca_mmap_exports"
#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL)
#define OTHER_USER 65534

static const struct page_case page_cases[] = {
    { NAME, SEALS, SHARED_PAGE_SIZE, 0, 0, 0, DOCA_SUCCESS },
    { "doca_mmap_export", SEALS, SHARED_PAGE_SIZE, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { NAME "2", SEALS, SHARED_PAGE_SIZE, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { "doca_sync_event", SEALS, SHARED_PAGE_SIZE, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { "jurom_ring", SEALS, SHARED_PAGE_SIZE, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, 0, SHARED_PAGE_SIZE, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, SEALS & ~F_SEAL_FUTURE_WRITE, SHARED_PAGE_SIZE, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, SEALS & ~F_SEAL_SHRINK, SHARED_PAGE_SIZE, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, SEALS, 2 * SHARED_PAGE_SIZE, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, SEALS, 100, 0, 0, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, SEALS, SHARED_PAGE_SIZE, 1, 0, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, SEALS, SHARED_PAGE_SIZE, 0, 1, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, SEALS, SHARED_PAGE_SIZE, 0, UINT64_C(1) << 63, 0, DOCA_ERROR_NOT_FOUND },
    { NAME, SEALS, SHARED_PAGE_SIZE, 0, 0, OTHER_USER, DOCA_ERROR_NOT_FOUND },
};

#define PAGE_CASES (sizeof(page_cases) / sizeof(page_cases[0]))

/* Makes such a page in this process, and returns its descriptor number. */
static int show_page(const struct page_case *shown)
{
    struct export_page page = {
        .process = (uint64_t)getpid() + shown->process,
        .slots[1] = { .cookie = { 5 + shown->cookie, 6 },
                .address = (uintptr_t)bytes,
                .length = SIZE,
                .permissions = DOCA_ACCESS_FLAG_PCI_READ_WRITE,
                .origin = MMAP_FROM_PCI },
    };
    int fd = memfd_create(shown->name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0 || write(fd, &page, sizeof(page)) != (ssize_t)sizeof(page)
            || ftruncate(fd, shown->size) != 0
            || (shown->owner != 0 && fchown(fd, shown->owner, (gid_t)-1) != 0)
            || fcntl(fd, F_ADD_SEALS, shown->seals) != 0)
        _exit(1);
    return fd;
}

/* Starts a process that shows a page, and imports what the page seems to export. */
static doca_error_t import_from_page(const struct page_case *shown)
{
    struct mmap_descriptor forged = {
        .version = MMAP_DESCRIPTOR_VERSION,
        .reference = { .slot = 1, .cookie = { 5, 6 } },
    };
    struct doca_mmap *imported = NULL;
    int to[2], from[2], fd;
    doca_error_t status;
    pid_t child;

    assert_int_equal(0, pipe(to));
    assert_int_equal(0, pipe(from));
    child = fork();
    if (child == 0) {
        close(to[1]);
        fd = show_page(shown);
        answer_or_leave(from[1], &fd, sizeof(fd));
        _exit((int)read(to[0], &fd, 1));
    }
    close(to[0]);
    close(from[1]);
    read_whole(from[0], &fd, sizeof(fd));
    memcpy(forged.magic, MMAP_DESCRIPTOR_MAGIC, sizeof(forged.magic));
    forged.reference.process = (uint64_t)child;
    forged.reference.page_fd = (uint32_t)fd;
    status = import(&forged, sizeof(forged), &imported);
    if (imported != NULL)
        assert_ok(doca_mmap_destroy(imported));
    close(to[1]);
    close(from[0]);
    assert_int_equal(child, waitpid(child, NULL, 0));
    return status;
}

static void only_a_page_of_exports_of_the_process_itself_proves_an_export(void **state)
{
    (void)state;
    for (size_t i = 0; i < PAGE_CASES; ++i)
        if (page_cases[i].owner == 0 || geteuid() == 0)
            assert_int_equal(page_cases[i].expected, import_from_page(&page_cases[i]));
}

/* Exits with 0 if this forked child has no exports, but can export its own map. */
static void check_child(struct doca_mmap *mmap, const void *inherited, size_t length, int out)
{
    struct doca_mmap *imported;
    const void *descriptor;
    struct mmap_descriptor copy;
    uint8_t exported;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    memcpy(&copy, inherited, sizeof(copy));
    copy.reference.process = (uint64_t)getpid();
    if (doca_mmap_get_exported(mmap, &exported) != DOCA_SUCCESS || exported)
        _exit(1);
    if (pages_of_exports() != 0)
        _exit(2);
    if (import(&copy, length, &imported) == DOCA_SUCCESS)
        _exit(3);
    if (doca_mmap_export_pci(mmap, dev, &descriptor, &length) != DOCA_SUCCESS)
        _exit(4);
    answer_or_leave(out, descriptor, length);
    pause();
}

static void a_forked_child_inherits_no_export(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    struct mmap_descriptor copy;
    struct doca_mmap *imported;
    const void *descriptor;
    size_t length;
    uint8_t got;
    pid_t child;
    int from[2];

    (void)state;
    assert_int_equal(0, pipe(from));
    bytes[7] = 1;
    assert_ok(doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    child = fork();
    if (child == 0) {
        bytes[7] = 2;
        check_child(mmap, descriptor, length, from[1]);
    }
    close(from[1]);
    read_whole(from[0], &copy, sizeof(copy));
    close(from[0]);

    assert_ok(import(&copy, sizeof(copy), &imported));
    assert_ok(priv_doca_mmap_read(imported, &got, bytes + 7, 1));
    assert_int_equal(2, got);
    memcpy(&copy, descriptor, sizeof(copy));
    copy.reference.process = (uint64_t)child;
    assert_ok(doca_mmap_destroy(imported));
    assert_int_equal(DOCA_ERROR_NOT_FOUND, import(&copy, sizeof(copy), &imported));

    assert_int_equal(0, kill(child, SIGKILL));
    assert_int_equal(child, waitpid(child, NULL, 0));
    assert_ok(import(descriptor, length, &imported));
    assert_ok(doca_mmap_destroy(imported));
    assert_ok(doca_mmap_destroy(mmap));
}

/* Fails if the import or a new one reaches the memory that is at `address` now. */
static void assert_reaches_nothing(
        struct doca_mmap *imported, uint8_t *address, const struct mmap_descriptor *descriptor)
{
    static uint8_t got[SIZE];
    struct doca_mmap *again;

    assert_int_equal(DOCA_ERROR_IO_FAILED, priv_doca_mmap_read(imported, got, address, 1));
    assert_int_equal(DOCA_ERROR_IO_FAILED, priv_doca_mmap_read(imported, got, address, SIZE));
    assert_int_equal(DOCA_ERROR_IO_FAILED, priv_doca_mmap_write(imported, address, "x", 1));
    assert_int_equal(DOCA_ERROR_NOT_FOUND, import(descriptor, sizeof(*descriptor), &again));
}

/* Starts a process with the id of an earlier process; the child returns 0. */
static pid_t fork_with_id(pid_t id)
{
    struct clone_args arguments = {
        .exit_signal = SIGCHLD,
        .set_tid = (uintptr_t)&id,
        .set_tid_size = 1,
    };

    return (pid_t)syscall(SYS_clone3, &arguments, sizeof(arguments));
}

static void access_never_reaches_a_process_that_got_the_id_of_the_exporter(void **state)
{
    struct exporter exporter;
    struct doca_mmap *imported;
    pid_t other;

    (void)state;
    exporter_start(&exporter, dev, bytes);
    assert_ok(import(&exporter.descriptor, sizeof(exporter.descriptor), &imported));
    exporter_end(&exporter);
    other = fork_with_id(exporter.process);
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
    if (other > 0) {
        assert_int_equal(exporter.process, other);
        assert_reaches_nothing(imported, bytes, &exporter.descriptor);
        assert_int_equal(0, kill(other, SIGKILL));
        assert_int_equal(other, waitpid(other, NULL, 0));
    }
    assert_ok(doca_mmap_destroy(imported));
    if (other < 0)
        skip(); /* only root may choose a process id */
}

/*
 * This program as an exporter (`out` is a number), which at the first byte becomes a program with
 * the same addresses that exports nothing.
 */
static int run_as_exporter(const char *out, bool exports)
{
    int fd = (int)strtol(out, NULL, 10);
    const void *descriptor;
    struct doca_mmap *mmap;
    uint8_t *address = bytes;
    size_t length;
    char step;

    open_device(NULL);
    mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    if (exports && doca_mmap_export_pci(mmap, dev, &descriptor, &length) != DOCA_SUCCESS)
        return 1;
    if (exports)
        answer_or_leave(fd, descriptor, length);
    answer_or_leave(fd, &address, sizeof(address));
    if (read(STDIN_FILENO, &step, 1) == 1 && exports)
        execl("/proc/self/exe", AS_EXPORTER, out, NULL);
    return doca_mmap_destroy(mmap) == DOCA_SUCCESS && close_device(NULL) == 0 ? 0 : 1;
}

static void access_never_reaches_a_program_that_the_exporter_executes(void **state)
{
    uint8_t *address, *address_then;
    struct mmap_descriptor descriptor;
    struct doca_mmap *imported;
    int to[2], from[2];
    char out[16];
    pid_t child;

    (void)state;
    assert_int_equal(0, pipe(to));
    assert_int_equal(0, pipe(from));
    child = fork();
    if (child == 0) {
        snprintf(out, sizeof(out), "%d", from[1]);
        close(to[1]);
        dup2(to[0], STDIN_FILENO);
        personality(ADDR_NO_RANDOMIZE);
        execl("/proc/self/exe", AS_EXPORTER, out, "exports", NULL);
        _exit(1);
    }
    close(from[1]);
    close(to[0]);
    read_whole(from[0], &descriptor, sizeof(descriptor));
    read_whole(from[0], &address, sizeof(address));
    assert_ok(import(&descriptor, sizeof(descriptor), &imported));
    assert_int_equal(1, write(to[1], "x", 1));
    read_whole(from[0], &address_then, sizeof(address_then));

    assert_ptr_equal(address, address_then);
    assert_reaches_nothing(imported, address, &descriptor);
    assert_ok(doca_mmap_destroy(imported));
    close(to[1]);
    close(from[0]);
    assert_int_equal(child, waitpid(child, NULL, 0));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_in_the_memory_of_a_process_prove_no_export),
        cmocka_unit_test(only_a_page_of_exports_of_the_process_itself_proves_an_export),
        cmocka_unit_test(a_forked_child_inherits_no_export),
        cmocka_unit_test(access_never_reaches_a_process_that_got_the_id_of_the_exporter),
        cmocka_unit_test(access_never_reaches_a_program_that_the_exporter_executes),
    };

    if (strcmp(argv[0], AS_EXPORTER) == 0)
        return run_as_exporter(argv[1], argc == 3);
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
