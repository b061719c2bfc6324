/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the program. */
#ifndef REVERSE_H_
#define REVERSE_H_

#include <doca_dev.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MAX_MESSAGES 8

/* The configuration. */
struct reverse_config {
    char device[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    char plugin[64];
    const char *messages[MAX_MESSAGES];
    int count;
};

/* Prints all devices and opens the named one. Returns NOT_FOUND if it does not exist. */
doca_error_t open_device(const char *name, struct doca_dev **dev);
/* Sends the messages to a worker and prints the reversed ones, one per line. */
void offload(const struct reverse_config *config, struct doca_dev *dev);

#ifdef __cplusplus
}
#endif

#endif /* REVERSE_H_ */
