/** The directory of units of public bodies: read from a file that somebody chose, and searched. */
import { createHash } from 'node:crypto'
import type { Ctx, UseCase } from '../../../context.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { parse, ParserFailure, piecesOfBase64 } from '../../../platform/processes/parsers.ts'
import { PORTAL_ROLES } from '../contract.ts'
import type { importDirectoryContract, PortalSettings, portalUnitsContract } from '../contract.ts'
import type { DirectoryPart, DirectoryReply, ParsedRelation, ParsedUnit } from './parse.ts'
import { foundUnits, lastDirectory, relationsOf, writeRelations, writeUnits } from './rows.ts'
import type { DirectoryRow } from './rows.ts'

const TIMEOUT_MS = 60_000
/** Units written in one transaction, so that others need not wait long. */
const PART = 1_000

/** Returns a file that was read as callers see it. */
export function directoryView(row: DirectoryRow): NonNullable<PortalSettings['directory']> {
  return {
    id: row.public_id,
    name: row.name,
    rows: row.file_rows,
    added: row.added,
    changed: row.changed,
    unchanged: row.unchanged,
    faulty: row.faulty,
    importedAt: new Date(row.imported_at).toISOString(),
    importedBy: row.imported_by,
  }
}

async function parsed(
  content: string,
): Promise<DirectoryReply & { units: ParsedUnit[]; relations: ParsedRelation[]; sha256: Buffer }> {
  const hash = createHash('sha256')
  const units: ParsedUnit[] = []
  const relations: ParsedRelation[] = []
  try {
    const reply = await parse<object, DirectoryReply>(
      'directory',
      {},
      {
        from: import.meta.url,
        timeoutMs: TIMEOUT_MS,
        single: true,
        bytes: piecesOfBase64(content, (piece) => hash.update(piece)),
        onPart: (part: DirectoryPart) => {
          units.push(...part.units)
          relations.push(...part.relations)
        },
      },
    )
    return { ...reply, units, relations, sha256: hash.digest() }
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    const isTooLarge = error.why === 'too_large'
    throw validationFailed([
      {
        code: isTooLarge ? 'import_file_too_large' : 'import_file_unknown',
        field: 'content',
        severity: 'error',
        message: 'The file cannot be read within the limits of a table.',
        fix: 'Save it as .xlsx or .csv and choose it again.',
      },
    ])
  }
}

/** Reads a file of the directory. Units and relations that are known already are not added again. */
export const importDirectory: UseCase<typeof importDirectoryContract> = async (ctx, { name, content }) => {
  const { units, relations, rows, faulty, faults, sha256 } = await parsed(content)
  const sums = { added: 0, changed: 0, unchanged: 0 }
  for (let from = 0; from < units.length; from += PART) {
    const written = await ctx.transaction((tx) => writeUnits(tx, units.slice(from, from + PART)))
    for (const key of ['added', 'changed', 'unchanged'] as const) sums[key] += written[key]
  }
  let newRelations = 0
  for (let from = 0; from < relations.length; from += PART)
    newRelations += await ctx.transaction((tx) => writeRelations(tx, relations.slice(from, from + PART)))
  const directory = await ctx.transaction(async (tx) => {
    const publicId = tx.newId('pdr')
    await tx.db
      .insertInto('portal_directories')
      .values({
        company_id: tx.book.companyId,
        public_id: publicId,
        name,
        sha256,
        file_rows: rows,
        ...sums,
        faulty,
        imported_at: tx.now().getTime(),
        imported_by: tx.actor.name,
      })
      .execute()
    await recordAudit(tx, {
      action: 'portal.directory_read',
      target: { type: 'company', id: tx.book.publicId, label: name },
    })
    await emitEvent(tx, 'portal.changed', {})
    const row = await lastDirectory(tx)
    if (!row) throw new Error('The file that was read is missing.')
    return directoryView(row)
  })
  return { ...directory, relations: newRelations, faults }
}

const BITS = { accountingOffice: 1, managingBody: 2, processingUnit: 4, proposingBody: 8 } as const

async function relatedTo(ctx: Ctx, code: string) {
  return (await relationsOf(ctx, code.toUpperCase())).map((row) => ({
    accountingOffice: row.accounting_office,
    managingBody: row.managing_body,
    processingUnit: row.processing_unit,
  }))
}

/** Searches the directory. */
export const searchUnits: UseCase<typeof portalUnitsContract> = async (ctx, input) => {
  const relations = input.with === undefined ? [] : await relatedTo(ctx, input.with)
  const codes =
    input.with === undefined
      ? null
      : [...new Set(relations.flatMap((one) => Object.values(one)))].filter(
          (code) => code !== input.with?.toUpperCase() || input.role === undefined,
        )
  const rows = await foundUnits(ctx, {
    search: input.search?.trim() ?? '',
    roleBit: input.role === undefined ? 0 : BITS[input.role],
    codes,
  })
  return {
    items: rows.map((row) => ({
      code: row.code,
      name: row.name,
      administration: row.administration,
      nif: row.nif,
      town: row.town,
      province: row.province,
      roles: PORTAL_ROLES.filter((role) => (row.roles & BITS[role]) !== 0),
      isCurrent: row.is_current === 1,
    })),
    relations,
  }
}
