/* SPDX-License-Identifier: Apache-2.0 */
/* Records the log output of the software DOCA and its plugins in this process. */
#ifndef JUROM_TESTING_LOGGED_H_
#define JUROM_TESTING_LOGGED_H_

#include <stdbool.h>

/* Discards the recorded lines and starts recording errors and warnings. */
void log_keep(void);

/*
 * log_has returns whether the recorded log contains `text`; assert_logged fails and prints the log
 * otherwise.
 */
bool log_has(const char *text);
void assert_logged(const char *text);

/* Fails and prints the log unless it contains `text` exactly once. */
void assert_logged_once(const char *text);

#endif /* JUROM_TESTING_LOGGED_H_ */
