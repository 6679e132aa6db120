/** Operations on archives of documents: create, read, download, cancel. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { businessDateOf } from '../../../domain/dates.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { issuedOf, resolveInvoice } from '../../../sales/invoices/index.ts'
import { archiveEntries } from './archive.ts'
import { exportsOf } from './run.ts'
import type { Archive, ArchiveOrder, Missing, Wanted } from './run.ts'
import { MOST_DOCUMENTS, MOST_NAMED } from './limits.ts'
import type {
  cancelExportContract,
  createExportContract,
  DocumentExport,
  exportFileContract,
  getExportContract,
} from './contract.ts'
import { zipOf } from '../../../domain/formats/zip-stream.ts'

type ExportRequest = ContractInput<typeof createExportContract>
type Chosen = Pick<ArchiveOrder, 'invoices' | 'missing'>

function viewOf(archive: Archive): DocumentExport {
  const { id, state, format, done, failed, invoices, missing, createdAt } = archive
  return {
    id,
    state,
    format,
    total: invoices.length + missing.length,
    done,
    failedCount: failed.length,
    failed: failed.slice(0, MOST_NAMED),
    createdAt: createdAt.toISOString(),
  }
}

async function named(ctx: Ctx, id: string, index: number) {
  try {
    return await resolveInvoice(ctx, id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, details } = error
    throw new AppError(code, { field: `ids[${index}]`, details: { ...details, id } })
  }
}

/** Returns each invoice once, in the given order; drafts among them are reported as missing. */
async function namedInvoices(ctx: Ctx, ids: readonly string[]): Promise<Chosen> {
  const invoices = new Map<string, Wanted>()
  const missing = new Map<string, Missing>()
  for (const [index, asked] of ids.entries()) {
    const { public_id: id, number, state } = await named(ctx, asked, index)
    if (state === 'issued') invoices.set(id, { id, number })
    else missing.set(id, { id, number, why: 'not_issued' })
  }
  return { invoices: [...invoices.values()], missing: [...missing.values()] }
}

async function chosen(ctx: Ctx, { ids, filter }: ExportRequest): Promise<Chosen> {
  if (ids && filter)
    throw validationFailed([
      {
        code: 'not_allowed',
        field: 'filter',
        severity: 'error',
        message: 'Invoices are chosen by ids or by a filter, not by both.',
        fix: 'Leave one of them out.',
      },
    ])
  if (ids) return namedInvoices(ctx, ids)
  if (!filter)
    throw validationFailed([
      {
        code: 'required',
        field: 'filter',
        severity: 'error',
        message: 'It does not say which invoices.',
        fix: 'Send ids, or a filter; an empty one means every issued invoice.',
      },
    ])
  const invoices = await issuedOf(ctx, filter, MOST_DOCUMENTS + 1)
  if (invoices.length > MOST_DOCUMENTS)
    throw new AppError('export_too_many', { details: { most: MOST_DOCUMENTS } })
  return { invoices, missing: [] }
}

/** Starts an export once its audit entry is committed. */
export const createExport: UseCase<typeof createExportContract> = async (ctx, asked) => {
  const { format = 'pdf', language = null } = asked
  const exports = exportsOf(ctx.env)
  const choice = await chosen(ctx, asked)
  let placed: Archive | undefined
  try {
    return await ctx.transaction(async (tx) => {
      const archive = (placed = await exports.place(tx, { ...choice, format, language }))
      const label = `${choice.invoices.length} × ${format}`
      await recordAudit(tx, {
        action: 'documents.exported',
        target: { type: 'export', id: archive.id, label },
      })
      tx.wake('exports')
      tx.afterCommit(() => exports.start(archive))
      return viewOf(archive)
    })
  } catch (error) {
    // Also on a failed commit: its slot would stay taken for half an hour.
    if (placed) await exports.cancel(ctx, placed)
    throw error
  }
}

const known = async (ctx: Ctx, id: string): Promise<Archive> =>
  orNotFound(await exportsOf(ctx.env).find(ctx, id))

/** Returns the progress of an export. */
export const getExport: UseCase<typeof getExportContract> = async (ctx, { id }) =>
  viewOf(await known(ctx, id))

/** Returns the archive, built while it is sent. */
export const exportFile: UseCase<typeof exportFileContract> = async (ctx, { id }) => {
  const archive = await known(ctx, id)
  const { state, format, createdAt, done, invoices, missing } = archive
  if (state !== 'ready')
    throw new AppError('export_not_ready', {
      details: { state, done, total: invoices.length + missing.length },
    })
  return {
    stream: zipOf(archiveEntries(ctx, archive), createdAt),
    fileName: `facturas-${format}-${businessDateOf(createdAt)}.zip`,
  }
}

/** Stops an export and removes it. */
export const cancelExport: UseCase<typeof cancelExportContract> = async (ctx, { id }) => {
  await exportsOf(ctx.env).cancel(ctx, await known(ctx, id))
  return { deleted: true }
}
