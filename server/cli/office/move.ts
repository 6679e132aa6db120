/** The commands that divide an office into cells: registering one, moving a company, and removing what it left. */
import { resolve } from 'node:path'
import type { Directory } from '../../app/office/transfer/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { requiredOption, text } from '../shared.ts'
import type { Command, Io, Values } from '../shared.ts'
import { clock, directoryUrl, nameOf, officeOf, targetOf } from './access.ts'
import type { OfficeAccess } from './access.ts'

const TARGET = {
  'directory-file': { type: 'string' },
  'target-database-file': { type: 'string' },
  'target-master-key-file': { type: 'string' },
} as const

/** Opens the directory for some work. */
async function withDirectory<T>(url: string, work: (directory: Directory) => Promise<T>): Promise<T> {
  const { Directory: opened } = await import('../../app/office/transfer/index.ts')
  const directory = await opened.open(url)
  try {
    return await work(directory)
  } finally {
    await directory.close()
  }
}

export function moveCommand(access: OfficeAccess): Command {
  return {
    usage:
      'office move COMPANY --from CELL --to CELL --directory-file F --target-database-file F --target-master-key-file F',
    about:
      'Move a company to another cell: it is held, copied in one transaction, compared and verified there, and goes on there. Run again after an interruption.',
    positional: 'COMPANY',
    options: { ...TARGET, from: { type: 'string' }, to: { type: 'string' } },
    async run(values, _settings, io) {
      const company = requiredOption(values, 'COMPANY')
      const [from, to] = [requiredOption(values, 'from'), requiredOption(values, 'to')]
      const [source, target] = [officeOf(access, values, io), targetOf(access, values, io)]
      const [{ loadContracts }, { moveCompany }] = await Promise.all([
        import('../../api/operations.ts'),
        import('../../app/office/transfer/index.ts'),
      ])
      return withDirectory(directoryUrl(access, values, io), async (directory) => {
        const [one, two] = [await directory.cell(from), await directory.cell(to)]
        const result = await moveCompany({
          company,
          from: { ...source, name: from, address: one.address },
          to: { ...target, name: to, address: two.address },
          directory,
          loadContracts,
          now: clock,
          report: (line) => io.say(line),
        })
        if (result.left.length > 0) io.say(`Not copied, as only this cell has it: ${result.left.join(', ')}.`)
        return { answer: result }
      })
    },
  }
}

export function setCellCommand(access: OfficeAccess): Command {
  return {
    usage: 'office set-cell NAME --directory-file F --address URL [--target-database-file F]',
    about:
      'Register a cell in the directory, with the address of its servers. The directory is created if it does not exist.',
    positional: 'NAME',
    options: { ...TARGET, address: { type: 'string' } },
    async run(values, _settings, io) {
      const name = requiredOption(values, 'NAME')
      const address = requiredOption(values, 'address')
      const url =
        text(values, 'target-database-file') === undefined
          ? access.url(values, io)
          : targetUrl(access, values, io)
      return withDirectory(directoryUrl(access, values, io), async (directory) => {
        await directory.setCell({ name, url: nameOf(url), address })
        return { answer: { cells: await directory.cells() } }
      })
    },
  }
}

const targetUrl = (access: OfficeAccess, values: Values, io: Io): string =>
  access.url(
    {
      ...values,
      'database-file': text(values, 'target-database-file'),
      'migration-database-file': undefined,
    },
    { ...io, env: {} },
  )

/** Proves that a company is whole in the cell that the directory names. */
async function proveInCell(access: OfficeAccess, values: Values, io: Io, company: string): Promise<void> {
  const target = targetOf(access, values, io)
  const [{ loadContracts }, { verifyInOffice }] = await Promise.all([
    import('../../api/operations.ts'),
    import('../../app/office/transfer/index.ts'),
  ])
  await withDirectory(directoryUrl(access, values, io), async (directory) => {
    const place = await directory.placeOf(company)
    const cell = place === null ? null : await directory.cell(place.cell)
    if (!cell || place?.state !== 'here' || cell.url !== nameOf(target.url))
      throw new AppError('transfer_refused', {
        details: { reason: 'other_cell', company, cell: place?.cell ?? null },
      })
    await verifyInOffice({ ...target, name: cell.name }, company, { loadContracts, now: clock })
  })
}

/** Proves that a company is whole in a folder. */
async function proveInFolder(values: Values, company: string): Promise<void> {
  const [{ openSello }, { checkBooks }] = await Promise.all([
    import('../../api/application.ts'),
    import('../../app/integrity/index.ts'),
  ])
  const sello = await openSello({
    dataDir: resolve(requiredOption(values, 'folder')),
    keyFile: text(values, 'key-file'),
    mayOnlyRead: true,
  })
  try {
    const row = await sello.env.store.reader
      .selectFrom('companies')
      .select('id')
      .where('public_id', '=', company)
      .executeTakeFirst()
    if (!row) throw new AppError('company_not_here', { details: { company } })
    const { ok, checks } = await checkBooks(sello.env, (book) => sello.ctx(book))
    if (!ok)
      throw new AppError('transfer_refused', {
        details: { reason: 'verify_failed', checks: checks.filter((check) => !check.ok) },
      })
  } finally {
    await sello.close()
  }
}

export function forgetCommand(access: OfficeAccess): Command {
  return {
    usage:
      'office forget COMPANY (--folder FOLDER [--key-file F] | --directory-file F --target-database-file F --target-master-key-file F)',
    about:
      'Remove the rows of a company that was moved away, after verifying it where it is now: in a folder, or in the cell that the directory names. Also removes a copy whose move was given up.',
    positional: 'COMPANY',
    options: { ...TARGET, folder: { type: 'string' }, 'key-file': { type: 'string' } },
    async run(values, _settings, io) {
      const company = requiredOption(values, 'COMPANY')
      const office = officeOf(access, values, io)
      const { forgetCompany } = await import('../../app/office/transfer/index.ts')
      const rows = await forgetCompany({
        office: { ...office, name: nameOf(office.url) },
        company,
        prove: () =>
          text(values, 'folder') === undefined
            ? proveInCell(access, values, io, company)
            : proveInFolder(values, company),
      })
      io.say(`${rows} rows were removed.`)
      return { answer: { company, rows } }
    },
  }
}
