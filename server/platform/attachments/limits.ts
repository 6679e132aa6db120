/** Largest file that is kept, in MiB. */
export const MAX_FILE_MIB = 20
