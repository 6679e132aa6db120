/**
 * Builds the records of model 190: professionals from their invoices, wages as a person typed them. Source: the design of
 * records of Orden HAC/1431/2025.
 */
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { postalCodesByNif } from '../../../catalog/contacts/index.ts'
import { withholdingTotals } from '../../../tax/totals/index.ts'
import type { WithholdingFigure } from '../../../tax/totals/index.ts'
import type { FileRecord } from '../files/file.ts'
import type { RecordValues } from '../files/record.ts'
import { findWageRecipients } from '../rows.ts'
import { agencyText } from './agency-text.ts'
import { faultsOfHead, headValues, provinceOf, signed } from './parties.ts'
import type { ListHead } from './parties.ts'
import { lacking, mixedRates, withheldBelowZero, withoutNif, withoutProvince } from './recipient-fault.ts'
import { wageRecord } from './wage-records.ts'

const NAME = 40

/** Subkeys of professionals by the rate withheld. Source: RIRPF art. 95.1: 15 %, and 7 % in the first three years. */
const SUBKEYS: readonly (readonly [rateBp: number, subkey: number])[] = [
  [1500, 1],
  [700, 3],
]
/** Cents by which rounding each document may move a withheld amount. */
const ROUNDING_EACH = 1

/** Returns the subkey whose rate explains what was withheld; null if none does: then both rates were used. */
function subkeyOf({ baseCents, amountCents, documents }: WithholdingFigure): number | null {
  const found = SUBKEYS.find(
    ([rateBp]) => Math.abs((baseCents * rateBp) / 10_000 - amountCents) <= documents * ROUNDING_EACH,
  )
  return found?.[1] ?? null
}

/** Returns the record of a professional without its head, or what keeps it out of the file. */
function professionalRecord(row: WithholdingFigure, postalCode: string | undefined): RecordValues | Fault {
  if (row.nif === null) return withoutNif(row.name)
  const province = provinceOf(postalCode)
  if (province === null) return withoutProvince(row.name)
  const subkey = subkeyOf(row)
  if (subkey === null) return mixedRates(row.name)
  if (row.amountCents < 0) return withheldBelowZero(row.name)
  return {
    partyNif: row.nif,
    partyName: agencyText(row.name, NAME),
    province,
    incomeKey: 'G',
    subkey,
    ...signed('paid', row.baseCents),
    ...(row.amountCents === 0 ? {} : { withheld: row.amountCents }),
  }
}

const isFault = (value: RecordValues | Fault): value is Fault => 'severity' in value

/** Amounts with a sign before them whose sum record 1 states. Source: the design, record 1, positions 145-160. */
const PAID = ['paid', 'inKind', 'incapacityPaid', 'incapacityInKind'] as const
/** Source: the design, record 1, positions 161-175. */
const WITHHELD = ['withheld', 'inKindWithheld', 'incapacityWithheld', 'incapacityInKindWithheld'] as const

/** Returns record 1: how many records there are, and what they add up to. */
function headOf(list: ListHead, records: readonly RecordValues[]): RecordValues {
  const sum = (names: readonly string[]) =>
    records.reduce(
      (all, values) =>
        all +
        names.reduce(
          (own, name) => own + Number(values[name] ?? 0) * (values[`${name}Sign`] === 'N' ? -1 : 1),
          0,
        ),
      0,
    )
  const withheld = sum(WITHHELD)
  return {
    ...headValues(list),
    support: 'T',
    ...(records.length === 0 ? {} : { recipients: records.length }),
    ...signed('total', sum(PAID)),
    ...(withheld === 0 ? {} : { withheldTotal: withheld }),
  }
}

/** Returns the records of model 190, in the order of their keys. */
export async function records190(
  ctx: Ctx,
  list: ListHead,
): Promise<{ records: FileRecord[]; faults: Fault[] }> {
  const faults = faultsOfHead(list)
  const { year } = list.period
  const found: RecordValues[] = []
  for (const row of await findWageRecipients(ctx, year)) {
    const wages = wageRecord(row, year)
    if (wages.faults) faults.push(...wages.faults)
    else found.push(wages.values)
  }
  const rows = await withholdingTotals(ctx, list.period.months)
  // No document has this reason today; wages of a document would be missing from the file without a word.
  for (const { name } of rows.filter(({ reason }) => reason === 'work'))
    faults.push(
      lacking(
        'payroll_unknown',
        'A document withholds for work, and the form asks of wages for what only a payroll says.',
        'Type it among the recipients of wages, and take the withholding off the document.',
        name,
      ),
    )
  const professionals = rows.filter(({ reason }) => reason === 'professional')
  const postalCodes = await postalCodesByNif(
    ctx,
    professionals.flatMap(({ nif }) => nif ?? []),
  )
  for (const row of professionals) {
    const record = professionalRecord(row, postalCodes.get(row.nif ?? ''))
    if (isFault(record)) faults.push(record)
    else found.push(record)
  }
  const sorted = found.toSorted((a, b) =>
    String(a.incomeKey) < String(b.incomeKey) ? -1 : Number(a.incomeKey !== b.incomeKey),
  )
  const records = sorted.map((values) => ({ record: '2', values: { year, nif: list.filer.nif, ...values } }))
  return { records: [{ record: '1', values: headOf(list, sorted) }, ...records], faults }
}
