/* SPDX-License-Identifier: Apache-2.0 */
/* The file, its errors, and the times of commands. */
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
#include <counters/place.h>
#include <counters/process.h>

#define KEY 77

struct folder {
    char path[64];
    char socket[80]; /* a name in it */
};

static int make_folder(void **state)
{
    static struct folder folder;

    snprintf(folder.path, sizeof(folder.path), "/tmp/counters-XXXXXX");
    assert_non_null(mkdtemp(folder.path));
    snprintf(folder.socket, sizeof(folder.socket), "%s/w-1", folder.path);
    *state = &folder;
    return 0;
}

static int remove_folder(void **state)
{
    return rmdir(((struct folder *)*state)->path);
}

static void a_file_is_its_owners_alone_and_goes_when_it_is_closed(void **state)
{
    const struct folder *folder = *state;
    struct counters_file file = { 0 };
    char path[PATH_MAX];
    struct stat status;

    assert_true(counters_open(&file, folder->socket));
    strcpy(path, file.path);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(status.st_size, sizeof(struct counters));
    assert_memory_equal(file.counters->magic, COUNTERS_MAGIC, 8);
    assert_int_equal(file.counters->process_id, getpid());

    counters_close(&file);
    assert_int_equal(stat(path, &status), -1);
}

/* In a child: it counts in pages of its own, from where its parent was, and removes nothing. */
static int count_and_close(struct counters_file *file)
{
    int wrong = file->counters->values[COUNTERS_BEGUN] != 1;

    counters_add(file->counters, COUNTERS_ENDED, 1);
    wrong |= file->counters->values[COUNTERS_ENDED] != 1;
    counters_close(file);
    return wrong;
}

static void a_forked_child_leaves_the_file_of_its_parent_as_it_is(void **state)
{
    const struct folder *folder = *state;
    struct counters_file file = { 0 }, other = { 0 };
    struct stat status;
    int exited;
    pid_t child;

    assert_true(counters_open(&file, folder->socket));
    assert_true(counters_open(&other, folder->socket));
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

static void two_files_of_a_process_have_names_of_their_own(void **state)
{
    const struct folder *folder = *state;
    struct counters_file one = { 0 }, other = { 0 };

    assert_true(counters_open(&one, folder->socket));
    assert_true(counters_open(&other, folder->socket));
    assert_string_not_equal(one.path, other.path);
    counters_close(&one);
    counters_close(&other);
}

static void a_directory_that_others_write_to_holds_none(void **state)
{
    const struct folder *folder = *state;
    struct counters_file file = { 0 };

    assert_int_equal(chmod(folder->path, 0777), 0);
    assert_true(counters_open(&file, folder->socket));
    assert_int_not_equal(strncmp(file.path, folder->path, strlen(folder->path)), 0);
    counters_add(file.counters, COUNTERS_ENDED, 1);
    counters_close(&file);
}

static void another_file_is_not_mapped(void **state)
{
    const struct folder *folder = *state;
    int fd = open(folder->socket, O_RDWR | O_CREAT | O_EXCL, 0600);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, sizeof(struct counters) - 1), 0);
    assert_null(counters_map(fd));
    assert_int_equal(unlink(folder->socket), 0);
}

static void memory_of_counters_neither_grows_nor_shrinks(void **state)
{
    int fd = counters_make_memory(NULL);
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

static void an_error_is_kept_once(void **state)
{
    struct counters *counters = counters_map_nothing();

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

/* A peer that answers with any numbers takes one place with all that are no status. */
static void statuses_of_a_peers_own_making_hide_no_error(void **state)
{
    struct counters *counters = counters_map_nothing();

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

static uint64_t timed(const struct counters *counters)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < COUNTERS_BUCKETS; ++i)
        sum += counters->histogram[i];
    return sum;
}

/* The longest time of the one bucket that is not empty, in ticks. */
static uint64_t longest(const struct counters *counters)
{
    for (unsigned i = COUNTERS_BUCKETS; i-- > 8;) {
        if (counters->histogram[i] > 0)
            return (uint64_t)(8 + (i + 1) % 8) << ((i + 1) / 8 - 1);
    }
    return 0;
}

static void the_first_command_is_timed_and_then_one_of_many(void **state)
{
    struct counters *counters = counters_map_nothing();

    (void)state;
    counters_begin(counters, COUNTERS_HOST, 0, "test");
    for (unsigned i = 0; i < COUNTERS_SAMPLED + 1; ++i) {
        if (counters_is_sample(counters))
            assert_true(counters_sample(counters, KEY));
        if (counters_is_sampled(counters, KEY))
            counters_sampled(counters);
    }
    assert_int_equal(timed(counters), 2);
    counters_unmap(counters);
}

static void a_time_is_told_to_an_eighth(void **state)
{
    struct counters *counters = counters_map_nothing();
    double seconds;

    (void)state;
    counters_begin(counters, COUNTERS_HOST, 0, "test");
    assert_true(counters_sample(counters, KEY));
    wait_ms(20);
    counters_sampled(counters);
    seconds = (double)longest(counters) / (double)counters->ticks_per_second;
    assert_true(seconds >= 0.0199);
    counters_unmap(counters);
}

static void a_command_that_never_ends_makes_room_after_a_second(void **state)
{
    struct counters *counters = counters_map_nothing();

    (void)state;
    counters_begin(counters, COUNTERS_HOST, 0, "test");
    assert_true(counters_sample(counters, KEY));
    assert_false(counters_sample(counters, KEY + 1));
    counters->values[COUNTERS_SINCE] -= counters->ticks_per_second;
    assert_true(counters_sample(counters, KEY + 1));
    assert_false(counters_is_sampled(counters, KEY));
    counters_unmap(counters);
}

static void a_process_that_has_ended_began_at_no_time(void **state)
{
    siginfo_t info;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        pause();
        _exit(0);
    }
    assert_true(counters_process_start((uint64_t)child) > 0);
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
                a_file_is_its_owners_alone_and_goes_when_it_is_closed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(
                a_forked_child_leaves_the_file_of_its_parent_as_it_is, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(
                two_files_of_a_process_have_names_of_their_own, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(
                a_directory_that_others_write_to_holds_none, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(another_file_is_not_mapped, make_folder, remove_folder),
        cmocka_unit_test(memory_of_counters_neither_grows_nor_shrinks),
        cmocka_unit_test(an_error_is_kept_once),
        cmocka_unit_test(statuses_of_a_peers_own_making_hide_no_error),
        cmocka_unit_test(the_first_command_is_timed_and_then_one_of_many),
        cmocka_unit_test(a_time_is_told_to_an_eighth),
        cmocka_unit_test(a_command_that_never_ends_makes_room_after_a_second),
        cmocka_unit_test(a_process_that_has_ended_began_at_no_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
