/**
 * An empty encrypted store, created once for a test run and copied for each test that needs one: a copy takes a few
 * milliseconds, while a new store runs every migration.
 */
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEYRING_FILE, keyCheckOf, LOCAL_KEY_FILE } from '../../../server/db/embedded/keys/keyring.ts'
import { openStore } from '../../../server/db/embedded/store.ts'

/** Location of the template of this run; `build/test-setup.ts` sets it before the first test. */
const TEMPLATE = 'SELLO_TEST_TEMPLATE'

/** Creates the template below a folder. Returns its path. */
export async function makeTemplate(parent = tmpdir()): Promise<string> {
  const folder = mkdtempSync(join(parent, 'sello-template-'))
  const now = () => new Date('2026-01-01T10:00:00+01:00')
  const store = await openStore({ folder, keychain: null, now, create: true, cacheKib: 2048 })
  store.close()
  return folder
}

/** Copies an empty store with a new id to an empty folder. Its key is the template's. */
export async function copyTemplate(folder: string): Promise<void> {
  let template = process.env[TEMPLATE]
  // A run without the project's configuration creates its own.
  if (template === undefined || !existsSync(template)) process.env[TEMPLATE] = template = await makeTemplate()
  cpSync(template, folder, { recursive: true })
  const file = join(folder, KEYRING_FILE)
  const keyring = JSON.parse(readFileSync(file, 'utf8')) as { storeId: string }
  const storeId = randomUUID()
  const masterKey = Buffer.from(readFileSync(join(folder, LOCAL_KEY_FILE), 'utf8').trim(), 'hex')
  writeFileSync(
    file,
    `${JSON.stringify({ ...keyring, storeId, keyCheck: keyCheckOf(masterKey, storeId) })}\n`,
  )
}
