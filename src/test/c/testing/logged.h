/* SPDX-License-Identifier: Apache-2.0 */
/* What the software DOCA and plugins log in this process, kept for the test to look at. */
#ifndef JUROM_TESTING_LOGGED_H_
#define JUROM_TESTING_LOGGED_H_

#include <stdbool.h>

/* Forgets what was logged, and keeps from now on what is an error or a warning. */
void log_keep(void);

/* Whether it has `text`; and fails unless it has, and shows it. */
bool log_has(const char *text);
void assert_logged(const char *text);

/* Fails unless it is there once, and shows the log. */
void assert_logged_once(const char *text);

#endif /* JUROM_TESTING_LOGGED_H_ */
