/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kills one end of a channel after each instruction of a ring operation, by single-stepping. The
 * other end detects the disconnection in time, has received only complete records in order, leaks
 * nothing, and continues with other peers. With JUROM_LONG=true, short acts are killed after every
 * instruction, and longer acts after every instruction whose effect the other end can observe
 * (walk.h) and some others; otherwise, after some instructions of each act.
 */
#include <dirent.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <channel/peer_process.h>
#include <testing/process.h>

#include "acts.h"
#include "steps.h"
#include "walk.h"

#define SAMPLES 25           /* number of kills per act, unless all instructions are tested */
#define SHORT_ACT 1000       /* instructions */
#define GONE_MS 1000         /* until the disconnection must be detected */
#define LOOKS_BEFORE_DEATH 4 /* polls while the victim is stopped */

static struct meeting meeting, other_meeting;
static struct peer survivor;
static struct peer other_host,
        other_worker; /* another channel of this process, which must not be affected */
static const struct act *current;
static struct walk walk;
static struct view rings_before;
static unsigned descriptors_before;
static uint64_t slowest_ns;

static void perform(struct peer *victim)
{
    steps_offer();
    if (current->prepare != NULL)
        current->prepare(victim);
    steps_mark();
    current->act(victim);
    steps_mark();
    _exit(0);
}

static unsigned count_entries(const char *directory)
{
    DIR *entries = opendir(directory);
    unsigned count = 0;

    assert_non_null(entries);
    while (readdir(entries) != NULL)
        ++count;
    closedir(entries);
    return count;
}

/* The victim is stopped at its first mark, and the survivor is prepared. */
static pid_t start_victim(void)
{
    uint64_t late = deadline_in(PEER_MS);
    pid_t pid = worker_process(&meeting, SMALL_MAX, perform);

    peer_init(&survivor, 1);
    assert_success(meeting_ask(&meeting, &survivor, SMALL_MAX));
    while (!steps_reached_mark(pid)) {
        assert_false(deadline_has_passed(late));
        if (current->during > 0 || channel_status(survivor.channel) != DOCA_SUCCESS)
            channel_poll(survivor.channel, 8);
        give_way();
    }
    poll_until(channel_status(survivor.channel) == DOCA_SUCCESS, &survivor);
    if (current->during > 0)
        poll_until(survivor.received >= current->before, &survivor);
    if (current->meanwhile != NULL)
        current->meanwhile(&survivor);
    if (current->asleep) {
        while (channel_arm(survivor.channel, true) != DOCA_SUCCESS)
            channel_poll(survivor.channel, 8);
    }
    return pid;
}

/* While the victim is stopped, its incomplete records are not visible. */
static void look_at_victim(void)
{
    for (unsigned i = 0; i < LOOKS_BEFORE_DEATH && !current->asleep; ++i)
        channel_poll(survivor.channel, 8);
    assert_success(channel_status(survivor.channel));
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* All published records are received. Then the channel ends because of the disconnection. */
static void see_it_gone(uint64_t killed)
{
    struct pollfd fd = { .fd = channel_descriptor(survivor.channel), .events = POLLIN };
    uint64_t late = deadline_in(GONE_MS), taken;

    while (channel_status(survivor.channel) == DOCA_SUCCESS) {
        assert_false(deadline_has_passed(late));
        if (current->asleep && channel_arm(survivor.channel, true) == DOCA_SUCCESS)
            assert_int_equal(1, poll(&fd, 1, GONE_MS));
        channel_poll(survivor.channel, 8);
    }
    taken = now_ns() - killed;
    if (taken > slowest_ns)
        slowest_ns = taken;
    if (channel_status(survivor.channel) != DOCA_ERROR_CONNECTION_RESET)
        fail_msg("the channel ended for another reason: %s", channel_reason(survivor.channel));
}

static void assert_others_are_served(void)
{
    uint64_t to_worker = other_worker.received, to_host = other_host.received;

    assert_success(peer_send(&other_host, 100));
    assert_success(peer_send(&other_worker, 100));
    channel_push(other_host.channel);
    channel_push(other_worker.channel);
    poll_until(other_worker.received > to_worker && other_host.received > to_host, &other_host,
            &other_worker);
}

static void note_what_there_is(void)
{
    view_of_all(&rings_before);
    descriptors_before = count_entries("/proc/self/fd");
}

static void assert_nothing_is_kept(void)
{
    struct view rings;

    view_of_all(&rings);
    assert_int_equal(rings_before.count, rings.count);
    assert_int_equal(descriptors_before, count_entries("/proc/self/fd"));
}

/* Kills the victim where it is stopped. Returns the number of records received from it. */
static uint64_t kill_victim(pid_t pid)
{
    uint64_t killed, received;

    look_at_victim();
    steps_kill(pid);
    killed = now_ns(); /* a killed process needs CPU time to exit */
    see_it_gone(killed);
    received = survivor.received;
    peer_close(&survivor);
    assert_nothing_is_kept();
    assert_others_are_served();
    return received;
}

/* The victim is killed only at the end. */
static uint64_t walk_to_the_end(void)
{
    struct view view;
    pid_t pid;

    note_what_there_is();
    pid = start_victim();
    view_of_new(&rings_before, &view);
    walk_take(&walk, pid, &view);
    return kill_victim(pid);
}

static uint64_t kill_after(unsigned long count)
{
    struct view view;
    pid_t pid;

    note_what_there_is();
    pid = start_victim();
    view_of_new(&rings_before, &view);
    assert_int_equal(count, steps_take(pid, count));
    if (view_digest(&view) != walk.stands[count].digest)
        fail_msg(
                "the execution differs from the first one: the rings differ after %lu instructions",
                count);
    return kill_victim(pid);
}

/* Returns whether to kill after this number of instructions. */
static bool is_tried(unsigned long at)
{
    const char *wanted = getenv("JUROM_LONG");
    bool all = wanted != NULL && strcmp(wanted, "true") == 0;
    unsigned long stride = walk.instructions < SAMPLES ? 1 : walk.instructions / SAMPLES;

    return at % stride == 0 || (all && (walk.stands[at].changed || walk.instructions <= SHORT_ACT));
}

/* The number of received records never decreases, and includes all in the end. */
static void a_kill_at_any_instruction_leaves_a_working_peer(void **state)
{
    unsigned long tried = 0;
    uint64_t received, received_before = 0;

    current = *state;
    slowest_ns = 0;
    received = walk_to_the_end();
    assert_true(walk.instructions > 0);
    if (current->during > 0)
        assert_int_equal(current->before + current->during, received);
    for (unsigned long at = 0; at < walk.instructions; ++at) {
        if (!is_tried(at))
            continue;
        received = kill_after(at);
        ++tried;
        if (received < received_before)
            fail_msg("%lu records after %lu instructions, and %lu after fewer", received, at,
                    received_before);
        received_before = received;
    }
    print_message("%s: %lu instructions, of which the other end can see %lu; killed after %lu, 0"
                  " violations, seen within %.2f ms\n",
            current->name, walk.instructions, walk.changes, tried, (double)slowest_ns / 1e6);
}

/* Pins both to one core: on two, each step would wait for a wake-up of the other core. */
static void stay_on_one_core(void)
{
    cpu_set_t core;

    CPU_ZERO(&core);
    CPU_SET(sched_getcpu(), &core);
    assert_int_equal(0, sched_setaffinity(0, sizeof(core), &core));
}

static int group_set_up(void **state)
{
    (void)state;
    stay_on_one_core();
    meeting_open(&meeting);
    meeting_open(&other_meeting);
    meeting_connect(&other_meeting, &other_host, &other_worker, SMALL_MAX);
    return 0;
}

static int group_tear_down(void **state)
{
    (void)state;
    peer_close(&other_host);
    peer_close(&other_worker);
    meeting_close(&meeting);
    meeting_close(&other_meeting);
    return 0;
}

/*
 * Makes libc copy without repeated string instructions, in which each of 4,000 bytes would be a
 * separate step: half of all steps, without any difference between them.
 */
static void copy_without_repeated_instructions(char **arguments)
{
    const char *tunables = "GLIBC_TUNABLES";

    if (getenv(tunables) != NULL)
        return;
    assert_int_equal(0, setenv(tunables, "glibc.cpu.x86_rep_movsb_threshold=1000000", 1));
    execv("/proc/self/exe", arguments);
}

int main(int count, char **arguments)
{
    struct CMUnitTest tests[32];

    (void)count;
    copy_without_repeated_instructions(arguments);
    assert_true(acts_count <= sizeof(tests) / sizeof(*tests));
    for (unsigned i = 0; i < acts_count; ++i) {
        tests[i] = (struct CMUnitTest)cmocka_unit_test_prestate(
                a_kill_at_any_instruction_leaves_a_working_peer, (void *)&acts[i]);
        tests[i].name = acts[i].name;
    }
    return _cmocka_run_group_tests("stepping", tests, acts_count, group_set_up, group_tear_down);
}
