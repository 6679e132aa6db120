/** The files of a work: one company's, or all in one ZIP that is made while it is read. */
import { inBook, orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { safeEntryName, uniqueName, zipOf } from '../../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../../domain/formats/zip-stream.ts'
import { readContent } from '../../../platform/contents/index.ts'
import { liveBookOf } from '../care.ts'
import type { workFileContract } from '../work-contract.ts'
import { MOST_WORK_BYTES } from './run.ts'
import { unitFile, unitsOf } from './rows.ts'

type Unit = Awaited<ReturnType<typeof unitsOf>>[number]

/** Reads the file of a unit as its company does. */
async function fileOf(ctx: Ctx, unit: Unit): Promise<{ name: string; bytes: Uint8Array }> {
  const there = inBook(ctx, await liveBookOf(ctx, unit.company_id))
  const row = orNotFound(await unitFile(there.db, unit.id))
  return { name: row.name, bytes: await readContent(there, { cell: row.bytes, sha256: row.sha256 }) }
}

/** A cell of a CSV file that no spreadsheet takes for a formula. */
const cell = (text: string): string =>
  /[";\r\n]/.test(text) || /^[=+\-@\t]/.test(text)
    ? `"${(/^[=+\-@\t]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
    : text

function outcomesOf(units: readonly Unit[]): Buffer {
  const lines = units.map(({ nif, legal_name, state, code, outcome }) =>
    [nif, legal_name, state, code ?? '', outcome ?? ''].map(cell).join(';'),
  )
  return Buffer.from(`\uFEFF${['NIF;Empresa;Estado;Motivo;Resultado', ...lines].join('\r\n')}\r\n`, 'utf8')
}

async function* entriesOf(ctx: Ctx, units: readonly Unit[]): AsyncGenerator<ZipEntry, void, undefined> {
  const folders = new Set<string>()
  yield { name: 'resultados.csv', bytes: outcomesOf(units), compress: true }
  for (const unit of units) {
    if (unit.file_bytes === null) continue
    const { name, bytes } = await fileOf(ctx, unit)
    const folder = uniqueName(safeEntryName(`${unit.nif} ${unit.legal_name}`), folders)
    // Packs and workbooks are compressed already.
    yield { name: `${folder}/${safeEntryName(name)}`, bytes, compress: false }
  }
}

export const workFile: UseCase<typeof workFileContract> = async (ctx, { id, company }) => {
  const units = await unitsOf(ctx.db, ctx.actor.id, id)
  if (units.length === 0) throw new AppError('not_found')
  if (company !== undefined) {
    const unit = orNotFound(units.find((each) => each.company === company && each.file_bytes !== null))
    const { name, bytes } = await fileOf(ctx, unit)
    const one = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes
    }
    return { stream: one(), fileName: name, mediaType: 'application/octet-stream' }
  }
  const total = units.reduce((sum, unit) => sum + (unit.file_bytes ?? 0), 0)
  if (units.every(({ file_bytes: bytes }) => bytes === null)) throw new AppError('nothing_to_export')
  if (total > MOST_WORK_BYTES) throw new AppError('books_too_large', { details: { bytes: MOST_WORK_BYTES } })
  return { stream: zipOf(entriesOf(ctx, units), ctx.now()), fileName: `empresas-${ctx.today()}.zip` }
}
