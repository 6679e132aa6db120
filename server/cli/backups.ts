/** Commands for copies of the books and their key: backups, restore, and the recovery code. */
import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { BackupsView } from '../app/backups/contract.ts'
import type { KeyChangeStep } from '../domain/key-change-steps.ts'
import {
  assertReadable,
  requiredOption,
  OWNER,
  readFileOrStdin,
  readInputFile,
  runByName,
  text,
  withSello,
  optionFault,
} from './shared.ts'
import type { Command, Io, Settings } from './shared.ts'

async function portable(file: string, settings: Settings): Promise<unknown> {
  const to = resolve(file)
  if (existsSync(to)) throw optionFault('portable', 'That file exists already. Name one that does not exist.')
  if (!existsSync(dirname(to))) throw optionFault('portable', 'The folder of that file does not exist.')
  const [{ NO_BOOK }, { makePortableAt }] = await Promise.all([
    import('../context.ts'),
    import('../app/backups/index.ts'),
  ])
  await withSello(settings, (sello) => makePortableAt(sello.ctx(NO_BOOK, OWNER), to))
  return { file: to, bytes: statSync(to).size }
}

const backup: Command = {
  usage: 'backup [--portable FILE]',
  about:
    'Create and verify a backup, next to the books and in the second folder if one is configured; with --portable as one file for any place, which the recovery code opens.',
  forwardable: { files: ['portable'] },
  options: { portable: { type: 'string' } },
  async run(values, settings, io) {
    const { NO_BOOK } = await import('../context.ts')
    const file = text(values, 'portable')
    if (file !== undefined) return { answer: await portable(file, settings) }
    const made = (await withSello(settings, (sello) =>
      runByName(sello, 'backups.make', NO_BOOK, {}),
    )) as BackupsView
    const fault = made.fault ?? made.own?.fault ?? null
    if (fault) io.say(`The backup failed (${fault.why}).`)
    const { folder, items, own } = made
    return { answer: { folder, newest: items[0] ?? null, own, fault }, exitCode: fault ? 1 : 0 }
  },
}

const STEP_MESSAGES: Record<KeyChangeStep, string> = {
  copying: 'Copying the books…',
  encrypting: 'Encrypting the copy with a new key, and verifying it…',
  swapping: 'Replacing the books…',
  backing_up: 'Creating a backup with the new key…',
}

const recoveryCodeCreate: Command = {
  usage: 'recovery-code create [--change-key [--delete-backups]] [--lock-code-file F|-]',
  about:
    'Create a recovery code, which opens the books if their key is lost. It is shown only once and replaces the previous code. With --change-key the books are encrypted with a new key, so that the previous code opens nothing of them; --delete-backups then deletes the backups with the previous key. If the app lock is on, its code comes from a file or stdin (-).',
  forwardable: { files: ['lock-code-file'] },
  options: {
    'change-key': { type: 'boolean' },
    'delete-backups': { type: 'boolean' },
    'lock-code-file': { type: 'string' },
  },
  async run(values, settings, io) {
    const changeKey = values['change-key'] === true
    const deleteBackups = values['delete-backups'] === true
    if (deleteBackups && !changeKey)
      throw optionFault('delete-backups', 'Backups are deleted with --change-key only.')
    const lockCode = secretOf(text(values, 'lock-code-file'), 'lock-code-file', io)
    const [{ NO_BOOK }, { createRecoveryCode }] = await Promise.all([
      import('../context.ts'),
      import('../app/session/index.ts'),
    ])
    const made = await withSello(settings, (sello) =>
      createRecoveryCode(sello.ctx(NO_BOOK, OWNER), {
        lockCode: lockCode?.replace(/\r?\n$/, ''),
        changeKey,
        deleteBackups,
        progress: (step) => io.say(STEP_MESSAGES[step]),
      }),
    )
    io.say(
      'Write the code down and keep it on paper: it is the only way to recover the books if the key is lost.',
    )
    const { keyChanged } = made
    if (keyChanged) {
      io.say(
        keyChanged.backedUp
          ? 'The books have a new key, and a backup encrypted with it. Earlier portable backups and copies of the folder still open with the previous code.'
          : 'The books have another key. The backup with it failed: make one with backup.',
      )
      if (keyChanged.deletedBackups > 0)
        io.say(`${keyChanged.deletedBackups} backups with the previous key were deleted.`)
    } else if (made.replaced)
      io.say(
        'The key has not changed: the previous code still opens an earlier copy of recovery.json or a portable backup. If someone else may have that code, run this command again with --change-key.',
      )
    return { answer: made }
  },
}

const recover: Command = {
  usage: 'recover --code-file F',
  about: 'Restore the key of the books with the recovery code from a file.',
  options: { 'code-file': { type: 'string' } },
  async run(values, settings, io) {
    const file = requiredOption(values, 'code-file')
    const [{ keyFromCode }, { adoptKey }, { lockStore }, { loadKeychain }] = await Promise.all([
      import('../db/embedded/keys/recover.ts'),
      import('../db/embedded/keys/keyring.ts'),
      import('../db/embedded/files/lock.ts'),
      import('../app/application.ts'),
    ])
    const folder = settings.dataDir
    const masterKey = keyFromCode(folder, readInputFile(file, 'code-file'))
    const lock = lockStore(folder)
    try {
      const keychain = settings.keyFile ? null : await loadKeychain()
      const protection = await adoptKey(masterKey, {
        folder,
        keyFile: settings.keyFile,
        keychain,
        now: () => new Date(),
      })
      io.say(
        'The key is restored. Make sure that the recovery code is still on paper, and delete the file that contained it.',
      )
      return { answer: { recovered: true, protection } }
    } finally {
      masterKey.fill(0)
      lock.release()
    }
  },
}

/** Reads a code from a file, or from stdin if the file is `-`; undefined if none is given. */
function secretOf(file: string | undefined, field: string, io: Io): string | undefined {
  return file === undefined ? undefined : readFileOrStdin(file, field, io)
}

const restore: Command = {
  usage: 'restore FILE [--code-file F|-] [--replace-other]',
  about:
    'Restore the books of a backup into the folder; the replaced books are kept in a folder of their own. The recovery code comes from a file or stdin (-); without it the available key is used.',
  options: { 'code-file': { type: 'string' }, 'replace-other': { type: 'boolean' } },
  positional: 'FILE',
  async run(values, settings, io) {
    const file = resolve(requiredOption(values, 'FILE'))
    assertReadable(file, 'FILE')
    const code = secretOf(text(values, 'code-file'), 'code-file', io) ?? null
    const [{ restoreBooks }, { loadKeychain }] = await Promise.all([
      import('../app/maintenance/restore-books.ts'),
      import('../app/application.ts'),
    ])
    const restored = await restoreBooks({
      folder: resolve(settings.dataDir),
      file,
      code,
      keyFile: settings.keyFile,
      keychain: settings.keyFile ? null : await loadKeychain(),
      replaceOther: values['replace-other'] === true,
      now: () => new Date(),
    })
    io.say(
      restored.aside === null
        ? 'The books are restored.'
        : `The books are restored. What was there is kept in ${restored.aside}.`,
    )
    return { answer: { restored: true, ...restored } }
  },
}

/** Commands by name. */
export const backupCommands = {
  backup,
  'recovery-code create': recoveryCodeCreate,
  recover,
  restore,
} as const satisfies Record<string, Command>
