/** The command that takes an archive into an office. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { teller } from '../leaving.ts'
import { assertReadable, requiredOption, text } from '../shared.ts'
import type { Command } from '../shared.ts'
import { clock, nameOf, officeOf } from './access.ts'
import type { OfficeAccess } from './access.ts'

/** Returns the command, which works with the role that owns the tables. */
export function takeInCommand(access: OfficeAccess): Command {
  return {
    usage: 'office take-in --file FILE.zip [--name NAME]',
    about:
      'Take the company of an archive that leave has written into the office: its books are put together and verified aside, copied in one transaction, compared and verified there. Run again after an interruption. The live book issues nothing before a new installation is begun.',
    options: { file: { type: 'string' }, name: { type: 'string' } },
    async run(values, _settings, io) {
      const file = resolve(requiredOption(values, 'file'))
      assertReadable(file, 'file')
      const office = officeOf(access, values, io)
      const [{ stageArchive }, { loadContracts }, { importBooks }] = await Promise.all([
        import('../../app/leaving/index.ts'),
        import('../../api/operations.ts'),
        import('../../app/office/transfer/index.ts'),
      ])
      const folder = mkdtempSync(join(tmpdir(), 'sello-take-in-'))
      try {
        const { sello, archive } = await stageArchive({
          file,
          folder: join(folder, 'books'),
          // The same rows each time, so that an interrupted command goes on.
          person: null,
          now: clock,
          loadContracts,
          report: teller(io),
          assertMayCome: async () => {},
        })
        try {
          const { companies } = await importBooks({
            source: sello,
            office: { ...office, name: text(values, 'name') ?? nameOf(office.url) },
            loadContracts,
            now: clock,
            report: (line) => io.say(line),
          })
          return { answer: { companies, files: archive.files } }
        } finally {
          await sello.close()
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}
