/* SPDX-License-Identifier: Apache-2.0 */
#ifndef JUROM_FUZZ_TEMPORARY_FOLDER_H_
#define JUROM_FUZZ_TEMPORARY_FOLDER_H_

/*
 * Creates a folder, replacing the XXXXXX in its name. The folder and its files are removed after
 * this process has exited for any reason.
 */
void make_temporary_folder(char *name);

#endif
