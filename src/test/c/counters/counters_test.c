/* SPDX-License-Identifier: Apache-2.0 */
/* The counter file, its errors, and sampled durations of commands. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka_all.h>
#include <counters/host_counters.h>
#include <counters/process_start.h>
#include <temporary.h>

#define KEY 77

struct directory {
    char path[64];
    char socket[80]; /* a name in it */
};

static int create_directory(void **state)
{
    static struct directory directory;

    snprintf(directory.path, sizeof(directory.path), "%s/counters-XXXXXX", temporary_folder());
    assert_non_null(mkdtemp(directory.path));
    snprintf(directory.socket, sizeof(directory.socket), "%s/w-1", directory.path);
    *state = &directory;
    return 0;
}

static int remove_directory(void **state)
{
    return rmdir(((struct directory *)*state)->path);
}

static void a_file_is_readable_by_its_owner_only_and_removed_when_closed(void **state)
{
    const struct directory *directory = *state;
    struct counters_file file = { 0 };
    char path[PATH_MAX];
    struct stat status;

    assert_true(counters_open(&file, directory->socket));
    strcpy(path, file.path);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(status.st_size, sizeof(struct counters));
    assert_memory_equal(file.counters->magic, COUNTERS_MAGIC, 8);
    assert_int_equal(file.counters->process_id, getpid());

    counters_close(&file);
    assert_int_equal(stat(path, &status), -1);
}

/* Runs in a child: it counts in private pages, starting with its parent's values, and removes no file. */
static int count_and_close(struct counters_file *file)
{
    int wrong = file->counters->values[COUNTERS_BEGUN] != 1;

    counters_add(file->counters, COUNTERS_ENDED, 1);
    wrong |= file->counters->values[COUNTERS_ENDED] != 1;
    counters_close(file);
    return wrong;
}

static void a_forked_child_does_not_change_the_file_of_its_parent(void **state)
{
    const struct directory *directory = *state;
    struct counters_file file = { 0 }, other = { 0 };
    struct stat status;
    int exited;
    pid_t child;

    assert_true(counters_open(&file, directory->socket));
    assert_true(counters_open(&other, directory->socket));
    counters_close(&other);
    counters_add(file.counters, COUNTERS_BEGUN, 1);
    child = fork();
    if (child == 0)
        _exit(count_and_close(&file));
    assert_int_equal(waitpid(child, &exited, 0), child);
    assert_int_equal(exited, 0);

    assert_int_equal(file.counters->values[COUNTERS_BEGUN], 1);
    assert_int_equal(file.counters->values[COUNTERS_ENDED], 0);
    assert_int_equal(stat(file.path, &status), 0);
    counters_close(&file);
}

static void two_files_of_a_process_have_different_names(void **state)
{
    const struct directory *directory = *state;
    struct counters_file one = { 0 }, other = { 0 };

    assert_true(counters_open(&one, directory->socket));
    assert_true(counters_open(&other, directory->socket));
    assert_string_not_equal(one.path, other.path);
    counters_close(&one);
    counters_close(&other);
}

static void no_file_is_created_in_a_directory_that_others_may_write_to(void **state)
{
    const struct directory *directory = *state;
    struct counters_file file = { 0 };

    assert_int_equal(chmod(directory->path, 0777), 0);
    assert_true(counters_open(&file, directory->socket));
    assert_int_not_equal(strncmp(file.path, directory->path, strlen(directory->path)), 0);
    counters_add(file.counters, COUNTERS_ENDED, 1);
    counters_close(&file);
}

static void a_file_of_another_size_is_not_mapped(void **state)
{
    const struct directory *directory = *state;
    int fd = open(directory->socket, O_RDWR | O_CREAT | O_EXCL, 0600);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, sizeof(struct counters) - 1), 0);
    assert_null(counters_map(fd));
    assert_int_equal(unlink(directory->socket), 0);
}

static void counter_memory_can_neither_grow_nor_shrink(void **state)
{
    int fd = counters_make_memory(-1);
    struct stat status;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 1 << 26), -1);
    assert_int_equal(errno, EPERM);
    assert_int_equal(ftruncate(fd, 0), -1);
    assert_int_equal(pwrite(fd, "x", 1, sizeof(struct counters)), -1);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
    assert_int_equal(fstat(fd, &status), 0);
    assert_int_equal(status.st_size, sizeof(struct counters));
    close(fd);
}

static void equal_errors_share_one_slot(void **state)
{
    struct counters *counters = counters_map_private();

    (void)state;
    assert_non_null(counters);
    counters_note(counters, COUNTERS_WORKER_KILLED, DOCA_SUCCESS);
    counters_note(counters, COUNTERS_COMMAND_FAILED, DOCA_ERROR_FULL);
    counters_note(counters, COUNTERS_WORKER_KILLED, DOCA_SUCCESS);
    counters_note(counters, COUNTERS_COMMAND_NOT_SENT, DOCA_ERROR_FULL);
    assert_int_equal(counters->errors[0].count, 2);
    assert_int_equal(counters->errors[1].count, 1);
    assert_int_equal(counters->errors[2].count, 1);
    assert_string_equal(counters->errors[0].text, "A worker was lost: it was ended by a signal");
    assert_string_equal(counters->errors[1].text,
            "A command failed with DOCA_ERROR_FULL: No more space in resource");
    assert_true(counters->errors[0].last_ns >= counters->errors[0].first_ns);
    counters_unmap(counters);
}

static void unknown_status_codes_share_one_slot(void **state)
{
    struct counters *counters = counters_map_private();

    (void)state;
    assert_non_null(counters);
    for (unsigned i = 0; i < 2 * COUNTERS_ERRORS; ++i)
        counters_note(counters, COUNTERS_COMMAND_FAILED, (doca_error_t)(1000 + i));
    counters_note(counters, COUNTERS_WORKER_EXITED, DOCA_SUCCESS);

    assert_int_equal(counters->errors[0].count, 2 * COUNTERS_ERRORS);
    assert_string_equal(counters->errors[1].text, "A worker was lost: it exited");
    counters_unmap(counters);
}

static void wait_ms(long ms)
{
    struct timespec end, now;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += ms * 1000000;
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - end.tv_sec) * 1000000000 + now.tv_nsec - end.tv_nsec < 0);
}

static uint64_t count_samples(const struct counters *counters)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < COUNTERS_BUCKETS; ++i)
        sum += counters->histogram[i];
    return sum;
}

/* Returns the upper bound of the last bucket that is not empty, in ticks. */
static uint64_t longest_sample(const struct counters *counters)
{
    for (unsigned i = COUNTERS_BUCKETS; i-- > 8;) {
        if (counters->histogram[i] > 0)
            return (uint64_t)(8 + (i + 1) % 8) << ((i + 1) / 8 - 1);
    }
    return 0;
}

static void the_first_command_and_then_one_per_interval_are_timed(void **state)
{
    struct counters *counters = counters_map_private();

    (void)state;
    counters_begin(counters, COUNTERS_HOST, 0, "test");
    for (unsigned i = 0; i < COUNTERS_SAMPLE_INTERVAL + 1; ++i) {
        if (counters_is_sample_due(counters))
            assert_true(counters_begin_sample(counters, KEY));
        if (counters_is_sampled(counters, KEY))
            counters_end_sample(counters);
    }
    assert_int_equal(count_samples(counters), 2);
    counters_unmap(counters);
}

static void a_duration_is_accurate_to_an_eighth(void **state)
{
    struct counters *counters = counters_map_private();
    double seconds;

    (void)state;
    counters_begin(counters, COUNTERS_HOST, 0, "test");
    assert_true(counters_begin_sample(counters, KEY));
    wait_ms(20);
    counters_end_sample(counters);
    seconds = (double)longest_sample(counters) / (double)counters->ticks_per_second;
    assert_true(seconds >= 0.0199);
    counters_unmap(counters);
}

static void a_command_that_never_ends_is_replaced_after_a_second(void **state)
{
    struct counters *counters = counters_map_private();

    (void)state;
    counters_begin(counters, COUNTERS_HOST, 0, "test");
    assert_true(counters_begin_sample(counters, KEY));
    assert_false(counters_begin_sample(counters, KEY + 1));
    counters->values[COUNTERS_SINCE] -= counters->ticks_per_second;
    assert_true(counters_begin_sample(counters, KEY + 1));
    assert_false(counters_is_sampled(counters, KEY));
    counters_unmap(counters);
}

static void an_exited_process_has_no_start_time(void **state)
{
    siginfo_t info;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        pause();
        _exit(0);
    }
    assert_true(counters_process_start((uint64_t)child) > 0);
    assert_int_equal(getpid(), counters_process_parent((uint64_t)child));
    assert_true(
            counters_process_start((uint64_t)child) >= counters_process_start((uint64_t)getpid()));
    kill(child, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(counters_process_start((uint64_t)child), 0); /* a zombie */
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(counters_process_start((uint64_t)child), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
                a_file_is_readable_by_its_owner_only_and_removed_when_closed, create_directory,
                remove_directory),
        cmocka_unit_test_setup_teardown(a_forked_child_does_not_change_the_file_of_its_parent,
                create_directory, remove_directory),
        cmocka_unit_test_setup_teardown(
                two_files_of_a_process_have_different_names, create_directory, remove_directory),
        cmocka_unit_test_setup_teardown(no_file_is_created_in_a_directory_that_others_may_write_to,
                create_directory, remove_directory),
        cmocka_unit_test_setup_teardown(
                a_file_of_another_size_is_not_mapped, create_directory, remove_directory),
        cmocka_unit_test(counter_memory_can_neither_grow_nor_shrink),
        cmocka_unit_test(equal_errors_share_one_slot),
        cmocka_unit_test(unknown_status_codes_share_one_slot),
        cmocka_unit_test(the_first_command_and_then_one_per_interval_are_timed),
        cmocka_unit_test(a_duration_is_accurate_to_an_eighth),
        cmocka_unit_test(a_command_that_never_ends_is_replaced_after_a_second),
        cmocka_unit_test(an_exited_process_has_no_start_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
