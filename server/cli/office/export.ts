/** The command that moves a company of an office into a folder. */
import { resolve } from 'node:path'
import { requiredOption, text } from '../shared.ts'
import type { Command } from '../shared.ts'
import { clock, nameOf, officeOf } from './access.ts'
import type { OfficeAccess } from './access.ts'

export function exportCommand(access: OfficeAccess): Command {
  return {
    usage: 'office export COMPANY --folder FOLDER [--key-file F] [--copy]',
    about:
      'Move a company into an encrypted folder of its own: it is copied in one transaction, compared and verified there, and the office answers where it went from then on. Run again after an interruption. With --copy it stays in the office, and the copy issues nothing until a new installation is begun in it.',
    positional: 'COMPANY',
    options: { folder: { type: 'string' }, 'key-file': { type: 'string' }, copy: { type: 'boolean' } },
    async run(values, _settings, io) {
      const company = requiredOption(values, 'COMPANY')
      const folder = resolve(requiredOption(values, 'folder'))
      const office = officeOf(access, values, io)
      const [{ loadContracts }, { exportCompany }, { loadKeychain }] = await Promise.all([
        import('../../api/operations.ts'),
        import('../../app/office/transfer/index.ts'),
        import('../../app/application.ts'),
      ])
      const keyFile = text(values, 'key-file')
      const result = await exportCompany({
        office: { ...office, name: nameOf(office.url) },
        company,
        folder,
        keyFile,
        keychain: keyFile === undefined ? await loadKeychain() : null,
        asCopy: values.copy === true,
        loadContracts,
        now: clock,
        report: (line) => io.say(line),
      })
      if (result.left.length > 0) io.say(`Not copied, as only an office has it: ${result.left.join(', ')}.`)
      return { answer: result }
    },
  }
}
