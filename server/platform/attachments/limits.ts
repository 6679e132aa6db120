/** Maximum size of a stored file, in MiB. */
export const MAX_FILE_MIB = 20
