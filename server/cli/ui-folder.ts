/** Where the built pages are. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the folder of the built page: next to the bundle, or in the build folder when running from source. */
export function uiFolder(): string | null {
  const candidates = [
    join(import.meta.dirname, '..', 'renderer'),
    join(import.meta.dirname, '..', '..', 'out', 'renderer'),
  ]
  // The page's sources are in a folder of the same name; only a build has assets next to the page.
  return (
    candidates.find(
      (folder) => existsSync(join(folder, 'assets')) && existsSync(join(folder, 'index.html')),
    ) ?? null
  )
}
