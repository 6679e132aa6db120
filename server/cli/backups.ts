/** Commands about copies of the books and their key: backups, restoring, and the recovery code. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { BackupsView } from '../backups/contract.ts'
import { assertReadable, needed, OWNER, readInputFile, runByName, text, withSello, wrong } from './shared.ts'
import type { Command, Settings } from './shared.ts'

async function portable(file: string, settings: Settings): Promise<unknown> {
  const to = resolve(file)
  if (existsSync(to)) throw wrong('portable', 'That file is there already. Name one that is not.')
  if (!existsSync(dirname(to))) throw wrong('portable', 'The folder of that file is not there.')
  const [{ NO_BOOK }, { makePortableAt }] = await Promise.all([
    import('../ctx.ts'),
    import('../backups/index.ts'),
  ])
  await withSello(settings, (sello) => makePortableAt(sello.ctx(NO_BOOK, OWNER), to))
  return { file: to, bytes: statSync(to).size }
}

const backup: Command = {
  usage: 'backup [--portable FILE]',
  about:
    'Make a backup and prove it, beside the books and in the second folder if one was chosen; or as one file for anywhere, which opens with the recovery code.',
  options: { portable: { type: 'string' } },
  async run(values, settings, io) {
    const { NO_BOOK } = await import('../ctx.ts')
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

const recover: Command = {
  usage: 'recover --code-file F',
  about: 'Put the key of the books back with the recovery code written in a file.',
  options: { 'code-file': { type: 'string' } },
  async run(values, settings, io) {
    const file = needed(values, 'code-file')
    const [{ keyFromCode }, { adoptKey }, { lockStore }, { loadKeychain }] = await Promise.all([
      import('../store/recover.ts'),
      import('../store/keyring.ts'),
      import('../store/lock.ts'),
      import('../app.ts'),
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
        'The key is back. Make sure the recovery code is still kept on paper, and delete the file it was in.',
      )
      return { answer: { recovered: true, protection } }
    } finally {
      masterKey.fill(0)
      lock.release()
    }
  },
}

const STDIN = 0

/** The recovery code from a file, or from stdin where the file is `-`; null when none is given. */
function codeOf(file: string | undefined): string | null {
  if (file === undefined) return null
  return file === '-' ? readFileSync(STDIN, 'utf8') : readInputFile(file, 'code-file')
}

const restore: Command = {
  usage: 'restore FILE [--code-file F|-] [--replace-other]',
  about:
    'Put the books of a backup in the folder; what was there is kept aside. The recovery code comes from a file or stdin (-); without it the key at hand is used.',
  options: { 'code-file': { type: 'string' }, 'replace-other': { type: 'boolean' } },
  word: 'FILE',
  async run(values, settings, io) {
    const file = resolve(needed(values, 'FILE'))
    assertReadable(file, 'FILE')
    const code = codeOf(text(values, 'code-file'))
    const [{ restoreBooks }, { loadKeychain }] = await Promise.all([
      import('../restore.ts'),
      import('../app.ts'),
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

/** By their names, as they are called. */
export const backupCommands = { backup, recover, restore } as const satisfies Record<string, Command>
