/** Compares the files of a build with its list. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CHECKSUM_LIST, readChecksums } from '../../domain/formats/checksum-list.ts'
import { listDigest } from './identity.ts'

interface FileFault {
  /** From the folder of the list, with `/`. */
  path: string
  /** `unlisted`: the list does not contain it; `unreadable`: not a regular file, or not readable. */
  why: 'missing' | 'differs' | 'unlisted' | 'unreadable'
}

interface VerifiedFolder {
  folder: string
  /** SHA-256 of the list. */
  digest: string
  /** Number of listed files. */
  files: number
  /** Number of these that the package leaves out: the parts of an office, all of them or none. */
  leftOut: number
  /** Sorted by path. */
  faults: FileFault[]
}

/** What only an office needs, which a package of the desktop does not contain (build/electron-builder.ts). */
const OF_OFFICE = /^main\/office\b[\w-]*\.js$/

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/**
 * Returns the digests of a folder's files by path, without the list itself; null for what is not a readable regular
 * file. Skips hidden names directly in the folder: in a clone they belong to the build's own book-keeping.
 */
export async function checksumsOf(folder: string): Promise<Map<string, string | null>> {
  const checksums = new Map<string, string | null>()
  const visit = async (under: string): Promise<void> => {
    for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
      const path = under === '' ? entry.name : `${under}/${entry.name}`
      if (path === CHECKSUM_LIST || path.startsWith('.')) continue
      if (entry.isDirectory()) await visit(path)
      else if (!entry.isFile()) checksums.set(path, null)
      else checksums.set(path, await digestOf(join(folder, path)).catch(() => null))
    }
  }
  await visit('')
  return checksums
}

/** Compares a folder with its list: content, missing files, and files that the list does not contain. */
async function verifyFolder(folder: string): Promise<VerifiedFolder> {
  const listed = readChecksums(readFileSync(join(folder, CHECKSUM_LIST), 'utf8'))
  const verified = { folder, digest: listDigest(folder), files: listed?.size ?? 0, leftOut: 0 }
  if (!listed) return { ...verified, faults: [{ path: CHECKSUM_LIST, why: 'unreadable' }] }
  const present = await checksumsOf(folder)
  const faults: FileFault[] = []
  const ofOffice = [...listed.keys()].filter((path) => OF_OFFICE.test(path))
  const hasOffice = ofOffice.some((path) => present.has(path))
  for (const path of new Set([...listed.keys(), ...present.keys()])) {
    const found = present.get(path)
    if (found === undefined && !hasOffice && OF_OFFICE.test(path)) continue
    if (found === undefined) faults.push({ path, why: 'missing' })
    else if (!listed.has(path)) faults.push({ path, why: 'unlisted' })
    else if (found === null) faults.push({ path, why: 'unreadable' })
    else if (found !== listed.get(path)) faults.push({ path, why: 'differs' })
  }
  return {
    ...verified,
    leftOut: hasOffice ? 0 : ofOffice.length,
    faults: faults.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/**
 * Verifies a build and, if it is part of a package that has a list of its own, the whole package: the runtime and the
 * native modules too.
 */
export async function verifyBuild(
  folder: string,
): Promise<{ build: VerifiedFolder; packaged: VerifiedFolder | null }> {
  const build = await verifyFolder(folder)
  const above = join(folder, '..')
  return { build, packaged: existsSync(join(above, CHECKSUM_LIST)) ? await verifyFolder(above) : null }
}
