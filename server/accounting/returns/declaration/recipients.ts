/**
 * Builds the records of the yearly returns of withholding: 190 and 180. Source: the designs of records of Orden
 * HAC/1431/2025 (190) and Orden HFP/1284/2023 (180). Payroll and the premises of a rent are not in the books: where the
 * form asks for them, the file is not written.
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

const NAME = 40

function lacking(code: string, message: string, fix: string, name: string): Fault {
  return { code, field: 'parties', severity: 'error', message, fix, params: { name } }
}

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

function head(list: ListHead, rows: readonly { baseCents: number; amountCents: number }[]): RecordValues {
  const total = rows.reduce((sum, { baseCents }) => sum + baseCents, 0)
  const withheld = rows.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return {
    ...headValues(list),
    support: 'T',
    ...(rows.length === 0 ? {} : { recipients: rows.length }),
    ...signed('total', total),
    ...(withheld === 0 ? {} : { withheldTotal: withheld }),
  }
}

/** Returns the records of model 190: professionals from their invoices. Wages need a payroll. */
export async function records190(
  ctx: Ctx,
  list: ListHead,
): Promise<{ records: FileRecord[]; faults: Fault[] }> {
  const faults = faultsOfHead(list)
  const { year } = list.period
  for (const { name } of await findWageRecipients(ctx, year))
    faults.push(
      lacking(
        'payroll_unknown',
        'The form asks of wages for what only a payroll says: year of birth, family, contract.',
        'File this return from the payroll program or in the agency’s form.',
        name,
      ),
    )
  const rows = (await withholdingTotals(ctx, list.period.months)).filter(
    ({ reason }) => reason === 'professional',
  )
  const postalCodes = await postalCodesByNif(
    ctx,
    rows.flatMap(({ nif }) => nif ?? []),
  )
  const records: FileRecord[] = []
  for (const row of rows) {
    const province = provinceOf(postalCodes.get(row.nif ?? ''))
    const subkey = subkeyOf(row)
    if (row.nif === null)
      faults.push(
        lacking(
          'party_without_nif',
          'A recipient has no tax number.',
          'Write it in the contact, or in the document.',
          row.name,
        ),
      )
    else if (province === null)
      faults.push(
        lacking(
          'party_without_province',
          'The postal code of a recipient is not known, and the form asks for its province.',
          'Write the address in the contact with that tax number.',
          row.name,
        ),
      )
    else if (subkey === null)
      faults.push(
        lacking(
          'rates_of_recipient_mixed',
          'What was withheld of a recipient comes from no single rate, and the form takes a record for each.',
          'Check the withholding of the invoices, and file this return in the agency’s form.',
          row.name,
        ),
      )
    else if (row.amountCents < 0)
      faults.push(
        lacking(
          'withheld_below_zero',
          'Less than nothing was withheld of a recipient, and the field has no sign.',
          'File this return in the agency’s form.',
          row.name,
        ),
      )
    else
      records.push({
        record: '2',
        values: {
          year,
          nif: list.filer.nif,
          partyNif: row.nif,
          partyName: agencyText(row.name, NAME),
          province,
          incomeKey: 'G',
          subkey,
          ...signed('paid', row.baseCents),
          ...(row.amountCents === 0 ? {} : { withheld: row.amountCents }),
        },
      })
  }
  return { records: [{ record: '1', values: head(list, rows) }, ...records], faults }
}

/** Returns the records of model 180. The premises of a rent are not in the books, so only an empty list has a file. */
export async function records180(
  ctx: Ctx,
  list: ListHead,
): Promise<{ records: FileRecord[]; faults: Fault[] }> {
  const rows = (await withholdingTotals(ctx, list.period.months)).filter(({ reason }) => reason === 'rent')
  const faults = [
    ...faultsOfHead(list),
    ...rows.map(({ name }) =>
      lacking(
        'premises_unknown',
        'The form asks for the address and the cadastral number of rented premises, which are not in the books.',
        'File this return in the agency’s form with the amounts of this page.',
        name,
      ),
    ),
  ]
  return { records: [{ record: '1', values: head(list, rows) }], faults }
}
