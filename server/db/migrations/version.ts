/**
 * The schema version of this build: the number of its last migration. Apart from the list, so that a start on current
 * books does not read the text of all migrations.
 */
export const SCHEMA_VERSION = 21
