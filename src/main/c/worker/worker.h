/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker process. One thread runs it in rounds (serve.c): it receives commands from hosts
 * (hosts.c, receive.c), passes them to plugins (dispatch.c), sends their notifications
 * (notifications.c), and idles when there is no work (idle_strategy.c). Between rounds it handles
 * frames of the service (service.c) and SIGTERM (termination.c), and admits hosts with a ticket
 * (tickets.c, listeners.c, pending_hellos.c, connection.c).
 *
 * Each member is defined in the header of its file, which alone writes it.
 */
#ifndef JUROM_WORKER_H_
#define JUROM_WORKER_H_

#include "blocks.h"
#include "configuration.h"
#include "connection.h"
#include "connections.h"
#include "dispatch.h"
#include "domains.h"
#include "events.h"
#include "hosts.h"
#include "idle_strategy.h"
#include "listeners.h"
#include "notifications.h"
#include "pending_hellos.h"
#include "plugins.h"
#include "service.h"
#include "termination.h"
#include "tickets.h"

struct worker {
    struct configuration configuration;
    struct service service;
    struct termination termination;
    struct tickets tickets;
    struct listeners listeners;
    struct pending_hellos pending_hellos;
    struct connections connections;
    struct hosts hosts;
    struct domains domains;
    struct dispatch dispatch;
    struct notifications notifications;
    struct plugins plugins;
    struct blocks blocks;
    struct events events;
    struct idle_strategy idle_strategy;
};

#endif /* JUROM_WORKER_H_ */
