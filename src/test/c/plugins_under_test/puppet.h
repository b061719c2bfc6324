/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and notifications of the plugin worker_puppet. */
#ifndef JUROM_PUPPET_H_
#define JUROM_PUPPET_H_

#include <stdint.h>

enum puppet_act {
    PUPPET_ECHO,           /* answer with the bytes and properties of the command */
    PUPPET_FAIL,           /* ECHO with `status` */
    PUPPET_REFUSE,         /* remove the command, return `status`, do not answer */
    PUPPET_REFUSE_ALOUD,   /* remove it, return `status`, answer with `status` + 1 */
    PUPPET_LEAVE,          /* leave it in the list and return `status` */
    PUPPET_POSTPONE,       /* leave it and return `status` `count` times, then ECHO */
    PUPPET_LATER,          /* ECHO after `count` calls of progress */
    PUPPET_HOLD,           /* hold it without an answer */
    PUPPET_LET_GO,         /* ECHO the held commands, the newest first, then this one */
    PUPPET_TWICE,          /* ECHO twice */
    PUPPET_STRANGER,       /* notify a host that does not exist, then ECHO */
    PUPPET_PACK_FAILS,     /* ECHO, and notif_pack returns `status` */
    PUPPET_PACK_TOO_LONG,  /* ECHO, and notif_pack returns a length above the capacity */
    PUPPET_PACK_TOO_SHORT, /* ECHO, and notif_pack returns a length below the header size */
    PUPPET_BIG,            /* answer with `count` bytes, each the low byte of its offset */
    PUPPET_CRASH,          /* terminate the process by signal `count` */
    PUPPET_BUSY,           /* announce `status` s, block the worker for `count` ms, then ECHO */
    PUPPET_PRINT,          /* print the command's bytes on standard output, then ECHO */
    PUPPET_ENVIRONMENT,    /* answer with the value of the variable that the bytes name */
    PUPPET_CPUS,           /* answer with the CPU numbers that the process may use, one byte each */
    PUPPET_REFUSE_LATER,   /* take it, return `status`, and ECHO after `count` calls of progress */
    PUPPET_LEFT,           /* answer with how many hosts have left, a uint64_t */
    PUPPET_WORK,      /* until not wanted (then answer SKIPPED), or for `count` ms, then ECHO */
    PUPPET_CANCELLED, /* answer with how many commands were cancelled, a uint64_t */
    PUPPET_DEADLINE,  /* answer with the deadline, a uint64_t */
    PUPPET_SLOW,      /* from now on, progress takes `count` ms and returns `status`; ECHO */
};

/*
 * The variable with the path of a file to which the plugin writes what it can access when loaded.
 */
#define PUPPET_WITNESS "PUPPET_WITNESS"
#define PUPPET_KEY "jurom:key-of-the-service" /* description of the "user" key that it searches */

/* Followed by any number of bytes. */
struct puppet_command {
    uint32_t act;
    uint32_t status;
    uint64_t count;
};

struct puppet_notification {
    uint64_t dest_id; /* of the command */
    uint64_t type;
    uint64_t len;
    uint64_t sequence;   /* number of commands delivered before */
    uint64_t progressed; /* calls of progress before the command was delivered */
    uint32_t process_id;
    uint8_t is_aligned; /* to 8 bytes */
    uint8_t has_slack;  /* 64 zeros follow the command */
    uint8_t reserved[2];
    uint8_t bytes[];
};

#endif /* JUROM_PUPPET_H_ */
