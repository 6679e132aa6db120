/** The folder of a source on this computer. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

/** Returns the real path of a folder, links resolved; `relative` or `missing` if there is none. */
export async function folderPath(path: string): Promise<{ path: string } | { why: 'relative' | 'missing' }> {
  if (!isAbsolute(path) || path.includes('\0')) return { why: 'relative' }
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? { path: real } : { why: 'missing' }
  } catch {
    return { why: 'missing' }
  }
}
