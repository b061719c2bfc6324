/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka and the headers that it requires before its own. */
#ifndef JUROM_CMOCKA_ALL_H_
#define JUROM_CMOCKA_ALL_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif /* JUROM_CMOCKA_ALL_H_ */
