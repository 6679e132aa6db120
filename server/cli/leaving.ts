/** The commands that write everything of a company into one open archive, and take such an archive in. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { UserActor } from '../context.ts'
import { assertReadable, chosenBook, optionFault, OWNER, requiredOption, text, withSello } from './shared.ts'
import type { Command, Io } from './shared.ts'

const SAY_EVERY = 2_000

/** Returns the function that tells a person how far the work is, at times. */
export function teller(io: Io): (progress: { step: string; done: number; total: number }) => void {
  let step = ''
  let last = 0
  return (progress) => {
    if (progress.step === step && progress.done - last < SAY_EVERY) return
    step = progress.step
    last = progress.done
    io.say(
      `${progress.step}${progress.total > 0 ? ` ${progress.done} of ${progress.total}` : ` ${progress.done}`}`,
    )
  }
}

export const leaveCommand: Command = {
  usage: 'leave --out FILE.zip [--book ID]',
  about:
    'Write everything of a company into one archive of open formats: JSON with its schema, CSV, PDF and XML, without private keys and passwords. It is read again before it gets its name, and take-in reads it. It is not encrypted.',
  options: { out: { type: 'string' }, book: { type: 'string' } },
  forwardable: { files: ['out'] },
  async run(values, settings, io) {
    const out = resolve(requiredOption(values, 'out'))
    if (existsSync(out)) throw optionFault('out', 'Name a file that does not exist yet.')
    if (!existsSync(dirname(out))) throw optionFault('out', 'The folder of that file does not exist.')
    const { archiveTo } = await import('../app/leaving/index.ts')
    const answer = await withSello(settings, async (sello) => {
      const book = await chosenBook(sello, text(values, 'book') === undefined ? { mode: 'live' } : values)
      const { fileName: _name, ...made } = await archiveTo(sello.ctx(book, OWNER), out, teller(io))
      return { out, ...made }
    })
    io.say('This file is not encrypted: keep it where only authorized people can read it.')
    return { answer }
  },
}

const takeInCommand: Command = {
  usage: 'take-in --file FILE.zip',
  about:
    'Take in the company of an archive that leave has written: every file is checked and the books are verified before anything is written, and all of it comes in or nothing. Its live book issues nothing before a new installation is begun.',
  options: { file: { type: 'string' } },
  forwardable: { files: ['file'] },
  async run(values, settings, io) {
    const file = resolve(requiredOption(values, 'file'))
    assertReadable(file, 'file')
    const { takeIn } = await import('../app/leaving/index.ts')
    const answer = await withSello(
      settings,
      ({ env }) => takeIn({ env, file, person: OWNER as UserActor, report: teller(io) }),
      { create: true },
    )
    io.say('The live book issues nothing until a new installation is begun on the registry page.')
    return { answer }
  },
}

export const leavingCommands: Readonly<Record<string, Command>> = {
  leave: leaveCommand,
  'take-in': takeInCommand,
}
