/** Reads a file made for the tax agency and compares its boxes with what was filed for the period, or is computed. */
import { findCompany } from '../../company/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../domain/money.ts'
import { piecesOfBase64 } from '../../platform/processes/parsers.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { YEARLY } from './calendar/return-rows.ts'
import { lastMonthOf } from './calendar/periods.ts'
import type { ReturnPeriod } from './calendar/periods.ts'
import { ModelNumber } from './contract.ts'
import type { FileBox } from './files/boxes.ts'
import type { fiscalReadFileContract } from './files/contract.ts'
import type { ReturnFile } from './files/file.ts'
import type { FileNature, ReadFile } from './files/read.ts'
import type { Box } from './models/boxes.ts'
import { computedOf } from './models/models.ts'
import { isTypedModel } from './models/typed/typed-returns.ts'
import { findFilings } from './rows.ts'
import { periodsOf } from './schemes/units.ts'

type Output = ContractOutput<typeof fiscalReadFileContract>
type Comparison = NonNullable<Output['comparison']>

/** Reads a file in base64 in a child process. Throws `validation_failed` or `no_file_layout`. */
export async function readContent(content: string): Promise<ReadFile> {
  const { readReturnFileInChildProcess } = await import('./files/read-apart.ts')
  return readReturnFileInChildProcess(piecesOfBase64(content, () => {}))
}

/** Files fill a tax number with zeros at the left. */
const plainNumber = (taxNumber: string): string =>
  taxNumber
    .toUpperCase()
    .replace(/^ES|[^0-9A-Z]/g, '')
    .replace(/^0+/, '')

/** Returns whether a tax number, as a file writes it, is that of the company of the books. */
export async function isOwnNumber(ctx: Ctx, taxNumber: string): Promise<boolean> {
  const { nif } = await findCompany(ctx)
  return plainNumber(nif) !== '' && plainNumber(nif) === plainNumber(taxNumber)
}

/** Returns the period of a file if the business files returns of its model by such periods in that year; else null. */
export async function periodOfFile(
  ctx: Ctx,
  model: ModelNumber,
  { year, period }: Pick<ReturnFile, 'year' | 'period'>,
): Promise<ReturnPeriod | null> {
  if (!/^(?:[1-4]T|0[1-9]|1[0-2]|0A)$/.test(period)) return null
  const found = (await periodsOf(ctx)).at(model, year * 100 + lastMonthOf(period))
  return found.code === period ? found : null
}

/**
 * Returns whether a file states the whole return of its period: a complementary declaration of records only adds those
 * that an earlier one left out.
 */
export function isWhole(model: ModelNumber, nature: FileNature): boolean {
  return nature !== 'complementary' || !(YEARLY.includes(model) || model === '349')
}

function onWire(kind: FileBox['kind'], value: number): number {
  if (kind === 'count') return value
  return kind === 'percent' ? percentFromBasisPoints(value) : eurosFromCents(value)
}

/** Files have no codes: they show as whole numbers. */
const kindOf = (kind: Box['kind']): FileBox['kind'] => (kind === 'code' ? 'count' : (kind ?? 'amount'))

async function compare(
  ctx: Ctx,
  model: ModelNumber,
  period: ReturnPeriod,
  read: ReadFile,
): Promise<Comparison | null> {
  const filings = await findFilings(ctx, model, { from: period.year, to: period.year })
  const filed = filings.get(`${period.year} ${period.code}`)
  const computed = await computedOf(ctx, model, period)
  const hasNone = computed.values.length === 0 || (isTypedModel(model) && computed.resultCents === null)
  if (!filed && hasNone) return null
  const ours = new Map<string, Pick<FileBox, 'kind' | 'value'>>(
    computed.values.map(({ box, value }) => [box.box, { kind: kindOf(box.kind), value }]),
  )
  const theirs = new Map<string, FileBox>()
  for (const box of read.boxes) if (!theirs.has(box.box)) theirs.set(box.box, box)
  const boxes = read.boxNumbers.flatMap((number) => {
    const [own, file] = [ours.get(number), theirs.get(number)]
    const stored =
      filed && (own !== undefined || Object.hasOwn(filed.boxes, number))
        ? (filed.boxes[number] ?? 0)
        : undefined
    const value = filed ? stored : own?.value
    if (!file && (value ?? 0) === 0) return []
    const kind = file?.kind ?? own?.kind ?? 'amount'
    return [
      {
        box: number,
        kind,
        file: onWire(kind, file?.value ?? 0),
        sello: value === undefined ? null : onWire(kind, value),
        // A box that Sello does not compute cannot differ from it.
        differs: value !== undefined && value !== (file?.value ?? 0),
      },
    ]
  })
  return {
    against: filed ? 'filed' : 'computed',
    boxes,
    differences: boxes.filter(({ differs }) => differs).length,
  }
}

async function standing(
  ctx: Ctx,
  read: ReadFile,
): Promise<Pick<Output, 'otherFiler' | 'comparison' | 'notCompared' | 'canImport'>> {
  const without = (notCompared: Output['notCompared'], canImport = false) => ({
    otherFiler: notCompared === 'other_filer',
    comparison: null,
    notCompared,
    canImport,
  })
  if (!(await isOwnNumber(ctx, read.taxNumber))) return without('other_filer')
  const model = ModelNumber.safeParse(read.file.model).data
  if (model === undefined) return without('other_model')
  const period = await periodOfFile(ctx, model, read.file)
  if (period === null) return without('other_period')
  const comparison = await compare(ctx, model, period, read)
  const isFree = comparison?.against !== 'filed' && period.from < ctx.today() && isWhole(model, read.nature)
  if (comparison === null) return without('not_computed', isFree)
  return { otherFiler: false, comparison, notCompared: null, canImport: isFree }
}

/** Returns what a file says, and how it differs from the figures here. Stores nothing. */
export const readFile: UseCase<typeof fiscalReadFileContract> = async (ctx, { content }) => {
  const read = await readContent(content)
  const { model, year, period, software } = read.file
  return {
    model,
    year,
    period,
    version: read.version,
    kind: read.kind,
    nature: read.nature,
    previous: read.previous,
    taxNumber: read.taxNumber,
    name: read.name,
    software: software.version === '' && software.nif === '' ? null : software,
    boxes: read.boxes.map(({ box, record, kind, value }) => ({
      box,
      record,
      kind,
      amount: onWire(kind, value),
    })),
    totals: read.totals.map(({ key, kind, declared, found }) => ({
      key,
      kind,
      declared: onWire(kind, declared),
      found: onWire(kind, found),
    })),
    parties: read.parties.map(({ amountCents, ...party }) => ({
      ...party,
      amount: eurosFromCents(amountCents),
    })),
    partyCount: read.partyCount,
    ...(await standing(ctx, read)),
    untrusted: true,
  }
}
