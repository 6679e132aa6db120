/** Identifies the build that runs: the digest of the list of its files, which the build writes beside its bundles. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKSUM_LIST } from '../../domain/formats/checksum-list.ts'
import { sha256Hex } from '../../domain/sha256.ts'

/** The folder of the build, above the folder of this bundle; without a list when running from source. */
const BUILD_FOLDER = join(import.meta.dirname, '..')

/** Returns the folder of the build that runs, or null if the program runs from its sources. */
export function buildFolder(): string | null {
  return existsSync(join(BUILD_FOLDER, CHECKSUM_LIST)) ? BUILD_FOLDER : null
}

/** Returns the SHA-256 of the list of a folder's files. */
export function listDigest(folder: string): string {
  return sha256Hex(readFileSync(join(folder, CHECKSUM_LIST)))
}

const folderAtStart = buildFolder()

/**
 * The hash of the build that runs, or null if the program runs from its sources. Read once, at the start: an update may
 * replace the files of a running program.
 */
export const RUNNING_BUILD: string | null = folderAtStart === null ? null : listDigest(folderAtStart)
