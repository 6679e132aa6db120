/** How the result of a return is settled: its kind, the account and the reference of a payment. */
import { readIban } from '../../../../domain/iban.ts'
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { Fault } from '../../../../domain/errors/app-error.ts'
import type { FilingChoices } from '../choices.ts'
import type { Boxes } from '../closing.ts'
import type { DeclaredModel } from '../declared-models.ts'
import { WITH_ACCOUNT } from '../kinds.ts'
import type { ReturnKind } from '../kinds.ts'
import { abroadFaults, isSepa } from './abroad.ts'
import { fault } from './fault.ts'

/** Length of a bank's reference of a payment (NRC). */
const REFERENCE = /^[0-9A-Z]{22}$/

/** Returns true if the file names an account: for the kind, or for what was paid in excess. */
export function asksAccount(model: DeclaredModel, kind: ReturnKind | null, boxes: Boxes): boolean {
  return (kind !== null && WITH_ACCOUNT.includes(kind)) || (model === '303' && (boxes['111'] ?? 0) > 0)
}

/** Returns what is wrong with the way in which the result is settled. */
export function settlementFaults(
  declared: {
    model: DeclaredModel
    kind: ReturnKind | null
    kinds: ReturnKind[]
    boxes: Boxes
    /** Last day of direct debit; undefined where there is none. */
    directDebitTo: BusinessDate | undefined
  },
  choices: FilingChoices,
  today: BusinessDate,
): Fault[] {
  const { model, kind, kinds, boxes, directDebitTo } = declared
  const faults: Fault[] = []
  if (choices.kind !== undefined && !kinds.includes(choices.kind))
    faults.push(
      fault(
        'kind_not_of_result',
        'kind',
        `A result like this is not settled by ${choices.kind}.`,
        kinds.length > 0 ? `Choose one of ${kinds.join(', ')}.` : 'Leave it out: this return only informs.',
        { kind: choices.kind, allowed: kinds.join(', ') },
      ),
    )
  const isAbroad = kind === 'X'
  const needsAccount = asksAccount(model, kind, boxes) && !isAbroad
  if (needsAccount && choices.iban === undefined)
    faults.push(
      fault('iban_missing', 'iban', 'This way of settling the result needs an account.', 'Type its IBAN.'),
    )
  else if (needsAccount && readIban(choices.iban ?? '') === null)
    faults.push(
      fault('iban_invalid', 'iban', 'That is no valid IBAN: its check digits do not fit.', 'Copy it again.'),
    )
  else if (needsAccount && kind !== 'U' && !choices.iban?.startsWith('ES') && !isSepa(choices.iban ?? ''))
    faults.push(
      fault(
        'iban_abroad',
        'iban',
        'A refund to an account outside SEPA is asked for as kind X.',
        'Choose the refund abroad, or another account.',
      ),
    )
  if (isAbroad) faults.push(...abroadFaults(choices))
  else if (choices.bank !== undefined)
    faults.push(
      fault(
        'bank_not_allowed',
        'bankBic',
        'Only a refund abroad names the bank.',
        'Leave the data of the bank out.',
      ),
    )
  if (kind === 'U' && directDebitTo !== undefined && today > directDebitTo)
    faults.push(
      fault(
        'debit_term_over',
        'kind',
        'Direct debit was possible until an earlier day.',
        'Pay at the bank and type its reference.',
        { day: directDebitTo },
      ),
    )
  if (kind === 'I' && choices.paymentReference !== undefined && !REFERENCE.test(choices.paymentReference))
    faults.push(
      fault(
        'payment_reference_invalid',
        'paymentReference',
        'The reference of a payment has 22 capitals and digits.',
        'Copy the NRC from the receipt of the bank.',
      ),
    )
  if (kind !== 'I' && choices.paymentReference !== undefined)
    faults.push(
      fault(
        'payment_reference_not_allowed',
        'paymentReference',
        'Only a return that is paid at the bank carries a reference.',
        'Leave it out.',
      ),
    )
  return faults
}
