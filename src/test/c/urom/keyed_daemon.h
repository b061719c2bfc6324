/* SPDX-License-Identifier: Apache-2.0 */
/* A service that listens on a port of loopback, too, and the keys of hosts that try to use it. */
#ifndef JUROM_KEYED_DAEMON_H_
#define JUROM_KEYED_DAEMON_H_

/* The files of the keys that were made. */
enum test_key {
    KEY_SERVICE,  /* the service's */
    KEY_HOST,     /* which the service knows, and which knows the service */
    KEY_STRANGER, /* which knows the service, and which it does not know */
    KEY_MISTAKEN, /* the host's, but it knows another service */
    KEYS,
};

/* Its file, until the group is torn down. */
const char *key_path(enum test_key key);

/*
 * Starts `the_daemon` with these options, too (ended by NULL; NULL: none), and has this process be
 * KEY_HOST. keyed_daemon_tear_down ends it.
 */
void keyed_daemon_start(const char *const more[]);

/* The service file leads to this port of loopback; daemon_use undoes it. */
void keyed_daemon_use_port(unsigned port);

/* cmocka group set-up and teardown around `the_daemon`. */
int keyed_daemon_set_up(void **state);
int keyed_daemon_tear_down(void **state);

#endif /* JUROM_KEYED_DAEMON_H_ */
