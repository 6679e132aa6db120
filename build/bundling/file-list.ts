/**
 * Writes the list of a folder's files with their SHA-256 into the folder. The digest of the list identifies a build
 * (docs/packaging.md). As a program: `node build/bundling/file-list.ts FOLDER`.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checksumsOf } from '../../server/app/build/index.ts'
import { CHECKSUM_LIST, writeChecksums } from '../../server/domain/formats/checksum-list.ts'

/** Lists the files of a folder. Throws for what is not a readable regular file. */
export async function writeFileList(folder: string): Promise<void> {
  const checksums = new Map<string, string>()
  for (const [path, digest] of await checksumsOf(folder)) {
    if (digest === null) throw new Error(`${path} is not a readable regular file.`)
    checksums.set(path, digest)
  }
  if (checksums.size === 0) throw new Error(`${folder} contains no files.`)
  writeFileSync(join(folder, CHECKSUM_LIST), writeChecksums(checksums))
}

const [, program, folder] = process.argv
if (program && folder && resolve(program) === import.meta.filename) await writeFileList(resolve(folder))
