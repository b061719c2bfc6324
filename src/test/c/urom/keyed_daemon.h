/* SPDX-License-Identifier: Apache-2.0 */
/* A service that also listens on a TCP port of loopback, and keys of hosts. */
#ifndef JUROM_KEYED_DAEMON_H_
#define JUROM_KEYED_DAEMON_H_

/* The key files. */
enum test_key {
    KEY_SERVICE,  /* of the service */
    KEY_HOST,     /* of a host; mutually trusted with the service */
    KEY_STRANGER, /* of a host that trusts the service and is not authorized */
    KEY_MISTAKEN, /* that of the host, but with the certificate of another service */
    KEYS,
};

/* Returns the path of the key file, valid until the group is torn down. */
const char *key_path(enum test_key key);

/*
 * Starts `the_daemon` with these additional options (terminated by NULL; NULL: none), and makes
 * this process use KEY_HOST. keyed_daemon_tear_down ends the daemon.
 */
void keyed_daemon_start(const char *const more[]);

/* Sets the service file to this port of loopback. daemon_use restores it. */
void keyed_daemon_use_port(unsigned port);

/* cmocka group set-up and teardown around `the_daemon`. */
int keyed_daemon_set_up(void **state);
int keyed_daemon_tear_down(void **state);

#endif /* JUROM_KEYED_DAEMON_H_ */
