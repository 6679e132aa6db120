/** Checks of what belongs to the whole store: the file, how it is held, and what is sealed in it. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { verifyCertificates } from '../../company/certificates/index.ts'
import { FAULTS_LISTED, proofOf, proofOver } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { AppEnvironment } from '../../context.ts'
import { verifyLock } from '../app-lock/index.ts'
import { verifyReplies } from '../../platform/idempotency/index.ts'
import { verifyMailPasswords } from '../../documents/mail/index.ts'
import { READ_ONLY_MEDIA } from '../../db/files/read-only.ts'
import { checkOf, despiteDamage } from './check.ts'
import type { Check } from './check.ts'
import { damagedPages } from '../../db/files/damage.ts'
import { fileLines } from './inspect.ts'

async function verifyFile(env: AppEnvironment, signal?: AbortSignal): Promise<Proof> {
  // A damaged page may end the look at the others.
  const found = await fileLines(env, 'integrity_check', signal).catch((error: unknown) => [String(error)])
  if (found.every((line) => line === 'ok')) return { checked: found.length, faults: [] }
  const masterKey = env.store.copyOfKey()
  try {
    // SQLite does not say which page an error was about, and tells of all that could not be reached behind it.
    const pages = damagedPages(env.store.folder, masterKey)
    return { checked: found.length, faults: pages.length > 0 ? pages : found.slice(0, FAULTS_LISTED) }
  } finally {
    masterKey.fill(0)
  }
}

async function verifyReferences(env: AppEnvironment, signal?: AbortSignal): Promise<Proof> {
  return { checked: 1, faults: (await fileLines(env, 'foreign_key_check', signal)).slice(0, FAULTS_LISTED) }
}

/** Files beside the books that hold a secret in the clear, while they are there. */
const PRIVATE_FILES = ['master.key', 'sello.db', 'server.json']

/** Windows keeps such files by the rights of their folder. */
function verifyFiles({ store }: AppEnvironment): Proof {
  if (process.platform === 'win32') return { checked: 0, faults: [] }
  return proofOver(PRIVATE_FILES, (name) => {
    const file = statSync(join(store.folder, name), { throwIfNoEntry: false })
    return file && (file.mode & 0o077) !== 0 ? `${name} can be read by others.` : null
  })
}

/** The checks of the whole store, each run when it is called; the signal ends a long one. */
export function checksOfStore(env: AppEnvironment, signal?: AbortSignal): (() => Promise<Check>)[] {
  return [
    () =>
      despiteDamage('I2', 'integrity', async () =>
        checkOf('I2', 'integrity', await verifyFile(env, signal), () => 'The file is whole.'),
      ),
    () =>
      despiteDamage('I2', 'references', async () =>
        checkOf(
          'I2',
          'references',
          await verifyReferences(env, signal),
          () => 'Every reference leads somewhere.',
        ),
      ),
    () =>
      despiteDamage('I1', 'durability', async () =>
        checkOf(
          'I1',
          'durability',
          { checked: 2, faults: env.store.holdFaults().pragmas },
          () => 'An answer waits for the disk.',
        ),
      ),
    () =>
      despiteDamage('I11', 'schema', async () =>
        checkOf(
          'I11',
          'schema',
          { checked: 1, faults: env.store.holdFaults().schema.slice(0, FAULTS_LISTED) },
          () => 'Tables and what keeps them from change are as this build makes them.',
        ),
      ),
    () =>
      despiteDamage('I18', 'writable', async () =>
        checkOf(
          'I18',
          'writable',
          proofOver(env.store.writeFault ? [env.store.writeFault] : [], ({ reason }) =>
            reason === READ_ONLY_MEDIA ? null : `The last writing failed: ${reason}.`,
          ),
          () =>
            env.store.writeFault
              ? 'Opened for reading: the folder cannot be written.'
              : 'The last writing went well.',
        ),
      ),
    () =>
      despiteDamage('I7', 'files', async () =>
        checkOf('I7', 'files', verifyFiles(env), () => 'Files with a secret are for their owner alone.'),
      ),
    () =>
      despiteDamage('I7', 'sealed', async () =>
        checkOf(
          'I7',
          'sealed',
          proofOf(await verifyCertificates(env), await verifyMailPasswords(env), await verifyLock(env)),
          (checked) => `${checked} sealed values open where they belong.`,
        ),
      ),
    () =>
      despiteDamage('I13', 'replies', async () =>
        checkOf(
          'I13',
          'replies',
          await verifyReplies(env),
          (checked) => `${checked} replies can be given again.`,
        ),
      ),
  ]
}
