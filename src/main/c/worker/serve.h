/* SPDX-License-Identifier: Apache-2.0 */
/* The worker: serves hosts as the worker's user. See launcher.h. */
#ifndef JUROM_SERVE_H_
#define JUROM_SERVE_H_

/* Returns the exit status. */
int serve(int count, char **arguments);

#endif /* JUROM_SERVE_H_ */
