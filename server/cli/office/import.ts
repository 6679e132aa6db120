/** The command that moves the books of a folder into an office. */
import { resolve } from 'node:path'
import { requiredOption, text } from '../shared.ts'
import type { Command } from '../shared.ts'
import { clock, nameOf, officeOf } from './access.ts'
import type { OfficeAccess } from './access.ts'

export function importCommand(access: OfficeAccess): Command {
  return {
    usage: 'office import FOLDER [--key-file F] [--company ID] [--name NAME] [--replace-nul]',
    about:
      'Move the companies of a folder, or one of them, into the office: they are copied in one transaction, compared and verified there, and the folder is only read from then on. Run again after an interruption. --replace-nul replaces characters that the database does not store, where no hash covers them; --name is how the folder calls the office.',
    positional: 'FOLDER',
    options: {
      'key-file': { type: 'string' },
      company: { type: 'string' },
      name: { type: 'string' },
      'replace-nul': { type: 'boolean' },
    },
    async run(values, _settings, io) {
      const dataDir = resolve(requiredOption(values, 'FOLDER'))
      const office = officeOf(access, values, io)
      const [{ openSello }, { loadContracts }, { importBooks }] = await Promise.all([
        import('../../api/application.ts'),
        import('../../api/operations.ts'),
        import('../../app/office/transfer/index.ts'),
      ])
      const source = await openSello({ dataDir, keyFile: text(values, 'key-file'), mayOnlyRead: true })
      try {
        const { companies, replaced } = await importBooks({
          source,
          office: { ...office, name: text(values, 'name') ?? nameOf(office.url) },
          loadContracts,
          company: text(values, 'company'),
          replaceTexts: values['replace-nul'] === true,
          now: clock,
          report: (line) => io.say(line),
        })
        if (replaced.length > 0)
          io.say(`${replaced.length} texts were changed: they had characters that are no text.`)
        return { answer: { companies, replaced } }
      } finally {
        await source.close()
      }
    },
  }
}
