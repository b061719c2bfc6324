/* SPDX-License-Identifier: Apache-2.0 */
/* The lower bound for starting a worker: a program that writes one byte and exits. */
#include <unistd.h>

int main(void)
{
    return write(STDOUT_FILENO, "1", 1) != 1;
}
