/** Checks of the whole store: its file, its permissions, and its sealed values. */
import { embedded } from '../../db/embedded/port.ts'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { verifyCertificates } from '../../company/certificates/index.ts'
import { FAULTS_LISTED, combineProofs, proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { AppEnvironment, People } from '../../context.ts'
import { verifyLock } from '../app-lock/index.ts'
import { verifyReplies } from '../../platform/idempotency/index.ts'
import { verifyMailPasswords } from '../../documents/mail/index.ts'
import { verifySourceSecrets } from '../../purchases/incoming/sources/index.ts'
import { READ_ONLY_MEDIA } from '../../db/embedded/files/read-only.ts'
import { checkOf, reportDamage } from './check.ts'
import type { Check } from './check.ts'
import { damagedPages } from '../../db/embedded/files/damage.ts'
import { fileLines } from './inspect.ts'

async function verifyFile(env: AppEnvironment, signal?: AbortSignal): Promise<Proof> {
  // A damaged page may end the check of the others.
  const found = await fileLines(env, 'integrity_check', signal).catch((error: unknown) => [String(error)])
  if (found.every((line) => line === 'ok')) return { checked: found.length, faults: [] }
  const masterKey = embedded(env.store).copyOfKey()
  try {
    // SQLite does not say which page caused an error, and also reports everything unreachable behind it.
    const pages = damagedPages(embedded(env.store).folder, masterKey)
    return { checked: found.length, faults: pages.length > 0 ? pages : found.slice(0, FAULTS_LISTED) }
  } finally {
    masterKey.fill(0)
  }
}

async function verifyReferences(env: AppEnvironment, signal?: AbortSignal): Promise<Proof> {
  return { checked: 1, faults: (await fileLines(env, 'foreign_key_check', signal)).slice(0, FAULTS_LISTED) }
}

/** Files next to the books that contain a secret in clear text, while they exist. */
const PRIVATE_FILES = ['master.key', 'sello.db', 'server.json']

/** On Windows, such files are protected by the permissions of their folder. */
function verifyFiles({ store }: AppEnvironment): Proof {
  if (process.platform === 'win32') return { checked: 0, faults: [] }
  return proveRows(PRIVATE_FILES, (name) => {
    const file = statSync(join(embedded(store).folder, name), { throwIfNoEntry: false })
    return file && (file.mode & 0o077) !== 0 ? `${name} can be read by others.` : null
  })
}

/** Returns the checks of the file of the books; another engine checks its own files and references. */
function checksOfFile(env: AppEnvironment, signal?: AbortSignal): (() => Promise<Check>)[] {
  return [
    () =>
      reportDamage('I2', 'integrity', async () =>
        checkOf('I2', 'integrity', await verifyFile(env, signal), () => 'The file is whole.'),
      ),
    () =>
      reportDamage('I2', 'references', async () =>
        checkOf(
          'I2',
          'references',
          await verifyReferences(env, signal),
          () => 'Every reference leads somewhere.',
        ),
      ),
  ]
}

const checkPeople = (people: People): Promise<Check> =>
  reportDamage('I14', 'people', async () =>
    checkOf(
      'I14',
      'people',
      await people.verify(),
      (checked) =>
        `${checked} entries of the history of the directory and second factors, none missing or changed.`,
    ),
  )

/** Returns the checks of the whole store, each run when called; the signal aborts a long one. */
export function checksOfStore(env: AppEnvironment, signal?: AbortSignal): (() => Promise<Check>)[] {
  const isFile = env.store.engine === 'sqlite'
  return [
    ...(isFile ? checksOfFile(env, signal) : []),
    () =>
      reportDamage('I1', 'durability', async () =>
        checkOf(
          'I1',
          'durability',
          { checked: 2, faults: await env.store.durabilityFaults() },
          () => 'An answer waits for the disk.',
        ),
      ),
    () =>
      reportDamage('I11', 'schema', async () =>
        checkOf(
          'I11',
          'schema',
          { checked: 1, faults: (await env.store.schemaFaults()).slice(0, FAULTS_LISTED) },
          () => 'Tables and what keeps them from change are as this build makes them.',
        ),
      ),
    () =>
      reportDamage('I18', 'writable', async () =>
        checkOf(
          'I18',
          'writable',
          proveRows(env.store.writeFault ? [env.store.writeFault] : [], ({ reason }) =>
            reason === READ_ONLY_MEDIA ? null : `The last writing failed: ${reason}.`,
          ),
          () =>
            env.store.writeFault
              ? 'Opened for reading: the folder cannot be written.'
              : 'The last writing went well.',
        ),
      ),
    ...(isFile
      ? [
          () =>
            reportDamage('I7', 'files', async () =>
              checkOf(
                'I7',
                'files',
                verifyFiles(env),
                () => 'Files with a secret are for their owner alone.',
              ),
            ),
        ]
      : []),
    () =>
      reportDamage('I7', 'sealed', async () =>
        checkOf(
          'I7',
          'sealed',
          combineProofs(
            await verifyCertificates(env),
            await verifyMailPasswords(env),
            await verifySourceSecrets(env),
            await verifyLock(env),
          ),
          (checked) => `${checked} sealed values open where they belong.`,
        ),
      ),
    ...(env.people ? [() => checkPeople(env.people!)] : []),
    () =>
      reportDamage('I13', 'replies', async () =>
        checkOf(
          'I13',
          'replies',
          await verifyReplies(env),
          (checked) => `${checked} replies can be given again.`,
        ),
      ),
  ]
}
