/** Recipients of wages in a year, typed by the user for model 190, because Sello has no payroll. */
import { recordAudit } from '../../../platform/audit/index.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { findCompany } from '../../../company/index.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../../domain/money.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { normalizeText } from '../../../domain/text.ts'
import type { UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { WAGE_SUBKEYS } from '../../../domain/tax/wage-keys.ts'
import { modelView } from './models.ts'
import type { fiscalSetWageRecipientsContract, fiscalWageRecipientsContract } from './recipients-contract.ts'
import { factsText, factsView, faultsOfFacts } from './wage-facts.ts'
import { yearReturn } from '../calendar/periods.ts'
import { findFilings, findWageRecipients, writeWageRecipients } from '../rows.ts'
import type { WageRecipientRow } from '../rows.ts'

type Recipient = ContractInput<typeof fiscalSetWageRecipientsContract>['recipients'][number]

function viewOf(row: WageRecipientRow): Recipient {
  const facts = factsView(row.facts)
  return {
    nif: row.nif,
    name: row.name,
    key: row.key as Recipient['key'],
    subkey: row.subkey,
    province: row.province,
    paid: eurosFromCents(row.paid_cents),
    withheld: eurosFromCents(row.withheld_cents),
    inKind: eurosFromCents(row.in_kind_cents),
    inKindWithheld: eurosFromCents(row.in_kind_withheld_cents),
    ...(facts === undefined ? {} : { facts }),
  }
}

/** Returns the recipients of a year, in the order typed. */
export const getWageRecipients: UseCase<typeof fiscalWageRecipientsContract> = async (ctx, { year }) => ({
  year,
  recipients: (await findWageRecipients(ctx, year)).map(viewOf),
})

/** Checks that a tax number is a Spanish one of a natural person: employees without one have no row in the return. */
function faultsOfRecipient(
  recipient: Recipient,
  index: number,
  of: { year: number; filerNif: string },
): Fault[] {
  const { nif, key, subkey, withheld, paid, inKind, inKindWithheld } = recipient
  const faults: Fault[] = []
  const check = checkNif(nif)
  const isMistyped = !check.ok && check.reason === 'control'
  if (!check.ok || check.kind === 'entity')
    faults.push({
      code: isMistyped ? 'nif_invalid' : 'nif_not_of_person',
      field: `recipients[${index}].nif`,
      severity: 'error',
      message: 'That is not the tax number of a person.',
      fix: 'Copy the NIF or NIE from the payslip.',
      params: { nif },
    })
  if (subkey !== null && !WAGE_SUBKEYS[key].includes(subkey))
    faults.push({
      code: 'wage_subkey_unknown',
      field: `recipients[${index}].subkey`,
      severity: 'error',
      message: 'The form has no such subkey of that key.',
      fix: 'Choose one of the form, or leave it empty where the key has none.',
      params: { key, subkey },
    })
  for (const [field, part, whole] of [
    ['withheld', withheld, paid],
    ['inKindWithheld', inKindWithheld, inKind],
  ] as const)
    if (Math.abs(part) > Math.abs(whole))
      faults.push({
        code: 'withheld_over_paid',
        field: `recipients[${index}].${field}`,
        severity: 'error',
        message: 'More is withheld than was paid.',
        fix: 'Check both amounts.',
      })
  return [...faults, ...faultsOfFacts(recipient, `recipients[${index}].facts`, of)]
}

/** Replaces the recipients of a year. Throws `already_filed` once the 190 of that year is marked as filed. */
export const setWageRecipients: UseCase<typeof fiscalSetWageRecipientsContract> = (
  ctx,
  { year, recipients },
) =>
  ctx.transaction(async (tx) => {
    const period = yearReturn(year)
    const filings = await findFilings(tx, '190', { from: year, to: year })
    if (filings.has(`${year} ${period.code}`)) throw new AppError('already_filed')
    const { nif: filerNif } = await findCompany(tx)
    const faults = recipients.flatMap((each, index) => faultsOfRecipient(each, index, { year, filerNif }))
    if (faults.length > 0) throw validationFailed(faults.slice(0, 100))
    const cents = (euros: number) => centsFromEuros(euros) ?? 0
    await writeWageRecipients(
      tx,
      year,
      recipients.map((each) => ({
        nif: checkNif(each.nif).nif,
        name: normalizeText(each.name),
        key: each.key,
        subkey: each.subkey,
        province: each.province,
        paid_cents: cents(each.paid),
        withheld_cents: cents(each.withheld),
        in_kind_cents: cents(each.inKind),
        in_kind_withheld_cents: cents(each.inKindWithheld),
        facts: factsText(each.facts),
      })),
    )
    await recordAudit(tx, {
      action: 'filing.recipients_typed',
      target: { type: 'company', id: tx.book.publicId, label: `190 ${year}: ${recipients.length}` },
    })
    await emitEvent(tx, 'filing.changed', { model: '190', year, period: period.code })
    return modelView(tx, '190', period)
  })
