/** Integrity check of all companies of an office, one book after another: nothing of them is kept. */
import type { Command } from '../shared.ts'
import { withOffice } from './open.ts'
import { IN_OFFICE, OFFICE_OPTIONS } from './settings.ts'

/** Wrong checks in the answer; people read all of them. */
const WRONG_LISTED = 100

export const verify: Command = {
  usage: 'office verify',
  about: 'Verify the integrity of the books of all companies.',
  inOffice: IN_OFFICE,
  options: OFFICE_OPTIONS,
  run: (values, _settings, io) =>
    withOffice(values, io, async (sello) => {
      const [{ checksInTurn, UNSEEN }, { checkLine, unseenLine }] = await Promise.all([
        import('../../app/integrity/index.ts'),
        import('../verify.ts'),
      ])
      let checks = 0
      let wrong = 0
      const books = new Set<string>()
      const listed: unknown[] = []
      for await (const check of checksInTurn(sello.env, (book) => sello.ctx(book))) {
        io.say(checkLine(check))
        checks += 1
        if (check.book !== undefined) books.add(check.book)
        if (check.ok) continue
        wrong += 1
        if (listed.length < WRONG_LISTED) listed.push(check)
      }
      for (const unseen of UNSEEN) io.say(unseenLine(unseen))
      const ok = wrong === 0
      return {
        answer: { ok, books: books.size, checks, wrong, faults: listed, unseen: UNSEEN },
        exitCode: ok ? 0 : 1,
      }
    }),
}
