/** Lists of files with their SHA-256, in the format of `sha256sum`, so that they can be checked without Sello. Pure. */

/** Name of such a list, in the folder whose files it lists. */
export const CHECKSUM_LIST = 'SHA256SUMS'

/** Digests in lower-case hex by path, with `/` between folders. */
type Checksums = ReadonlyMap<string, string>

const LINE = /^([0-9a-f]{64}) {2}(.+)$/

/** Returns the text of a list, sorted by path: the same files give the same bytes. */
export function writeChecksums(checksums: Checksums): string {
  const lines = [...checksums].map(([path, digest]) => {
    // `sha256sum` writes such names in another form, which other programs read differently.
    if (/[\\\n\r]/.test(path)) throw new Error(`A list of files cannot contain this name: ${path}`)
    return { path, line: `${digest}  ${path}\n` }
  })
  return lines
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ line }) => line)
    .join('')
}

/** Reads a list; null if the text is not one. */
export function readChecksums(text: string): Checksums | null {
  const checksums = new Map<string, string>()
  if (!text.endsWith('\n')) return null
  for (const line of text.slice(0, -1).split('\n')) {
    const [, digest, path] = LINE.exec(line) ?? []
    if (digest === undefined || path === undefined || checksums.has(path)) return null
    checksums.set(path, digest)
  }
  return checksums
}
