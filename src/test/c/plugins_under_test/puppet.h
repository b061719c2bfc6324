/* SPDX-License-Identifier: Apache-2.0 */
/* What the plugin worker_puppet is told, and what it answers. */
#ifndef JUROM_PUPPET_H_
#define JUROM_PUPPET_H_

#include <stdint.h>

enum puppet_act {
    PUPPET_ECHO,           /* answer with the command's bytes and what was seen of it */
    PUPPET_FAIL,           /* the same with `status` */
    PUPPET_REFUSE,         /* take the command, return `status`, answer nothing */
    PUPPET_REFUSE_ALOUD,   /* take it, return `status`, answer with `status` + 1 */
    PUPPET_LEAVE,          /* leave it in the list and return `status` */
    PUPPET_POSTPONE,       /* leave it and return `status` `count` times, then ECHO */
    PUPPET_LATER,          /* ECHO after `count` calls of progress */
    PUPPET_HOLD,           /* keep it */
    PUPPET_LET_GO,         /* ECHO those that are kept, the newest first, then this one */
    PUPPET_TWICE,          /* ECHO two times */
    PUPPET_STRANGER,       /* notify a host that does not exist, then ECHO */
    PUPPET_PACK_FAILS,     /* ECHO, and notif_pack returns `status` */
    PUPPET_PACK_TOO_LONG,  /* ECHO, and notif_pack claims more than there is room for */
    PUPPET_PACK_TOO_SHORT, /* ECHO, and notif_pack claims less than a header */
    PUPPET_BIG,            /* answer with `count` bytes, each of them its own offset's low byte */
    PUPPET_CRASH,          /* end the process by signal `count` */
    PUPPET_BUSY,           /* block the worker for `count` ms, then ECHO */
    PUPPET_PRINT,          /* print the command's bytes on standard output, then ECHO */
    PUPPET_ENVIRONMENT,    /* answer with the value of the variable that the bytes name */
    PUPPET_CPUS,           /* answer with the CPU numbers that the process may use, one byte each */
    PUPPET_REFUSE_LATER,   /* take it, return `status`, and ECHO after `count` calls of progress */
    PUPPET_LEFT,           /* answer with how many hosts have left, a uint64_t */
    PUPPET_SLOW,           /* from now on, progress takes `count` ms and returns `status`; ECHO */
};

/* A variable that names a file, in which the plugin notes what it can reach when it is loaded. */
#define PUPPET_WITNESS "PUPPET_WITNESS"
#define PUPPET_KEY "jurom:key-of-the-service" /* a "user" key that it looks for */

/* Bytes may follow it. */
struct puppet_command {
    uint32_t act;
    uint32_t status;
    uint64_t count;
};

struct puppet_notification {
    uint64_t dest_id; /* of the command */
    uint64_t type;
    uint64_t len;
    uint64_t sequence;   /* how many commands the plugin had been given before */
    uint64_t progressed; /* calls of progress before the command was given */
    uint32_t process_id;
    uint8_t is_aligned; /* to 8 bytes */
    uint8_t has_slack;  /* 64 zeros behind the command */
    uint8_t reserved[2];
    uint8_t bytes[];
};

#endif /* JUROM_PUPPET_H_ */
