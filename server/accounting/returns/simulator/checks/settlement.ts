/** Whether the kind of a return agrees with its result, and its bank data with both. */
import { finding } from '../findings.ts'
import type { Finding } from '../findings.ts'
import { isIban } from './iban.ts'

interface Settlement {
  model: string
  kind: string
  /** What the kind must agree with: box 71 of a 303 without the part that was paid in excess (box 111). */
  dueCents: number
  /** Part of a rectifying 303 that was paid in excess, box 111. */
  excessCents: number
  cancelsDebit: boolean
  iban: string
  /** Bank data of the 303 besides the IBAN; null for other models. */
  bank: { bic: string; sepa: number; name: string; address: string; city: string; country: string } | null
}

const TO_PAY = ['I', 'U', 'G']
/** Kinds for a negative result. */
const NEGATIVE: Readonly<Record<string, readonly string[]>> = {
  '303': ['C', 'D', 'V', 'X'],
  '130': ['B'],
  '131': ['B'],
}

function kindsFor(model: string, dueCents: number): readonly string[] {
  if (dueCents > 0) return TO_PAY
  return dueCents === 0 ? ['N'] : (NEGATIVE[model] ?? [])
}

/** Returns what is wrong with the kind of return and its bank data. The 390 has neither. */
export function settlementFindings(settlement: Settlement): Finding[] {
  const { model, kind, dueCents, excessCents, cancelsDebit, iban, bank } = settlement
  if (model === '390') return []
  const found: Finding[] = []
  if (!kindsFor(model, dueCents).includes(kind)) found.push(finding('S0401', kind))
  const isRefund = kind === 'D' || kind === 'X'
  const givesBackExcess = model === '303' && excessCents > 0
  const mayName = kind === 'U' || isRefund || givesBackExcess
  const mustName = kind === 'U' || isRefund || (givesBackExcess && !cancelsDebit)
  if (iban === '' && mustName) found.push(finding('S0403'))
  if (iban !== '' && !mayName) found.push(finding(model === '303' ? 'EDID065' : 'S0406', iban))
  // An account abroad need not be an IBAN.
  const isAccount = kind === 'X' ? /^[0-9A-Z]{1,34}$/.test(iban) : isIban(iban)
  if (iban !== '' && !isAccount) found.push(finding('S0404', iban))
  if (bank && (isRefund || (givesBackExcess && iban !== ''))) found.push(...refundFindings(kind, iban, bank))
  if (bank && bank.sepa === 1 && bank.bic !== '') found.push(finding('E030321'))
  return found
}

/** SEPA mark: 1 an account in Spain, 2 elsewhere in SEPA, 3 a transfer abroad. */
function refundFindings(kind: string, iban: string, bank: NonNullable<Settlement['bank']>): Finding[] {
  if (bank.sepa === 0) return [finding('EDID112')]
  const isSpanish = iban.startsWith('ES')
  const fits = kind === 'X' ? bank.sepa === 3 : kind === 'D' ? bank.sepa < 3 : true
  const agrees = bank.sepa === 1 ? isSpanish : !isSpanish
  if (!fits || !agrees) return [finding('S0405', String(bank.sepa))]
  return bank.sepa === 3 ? bankFindings(bank) : []
}

/** A transfer abroad names the bank. Whether the real service insists on the BIC, too, is not known: only its form is checked. */
function bankFindings({ bic, name, address, city, country }: NonNullable<Settlement['bank']>): Finding[] {
  const wrong = [
    ...(/^(?:[A-Z]{6}[0-9A-Z]{2}(?:[0-9A-Z]{3})?)?$/.test(bic) ? [] : ['BIC']),
    ...(name === '' ? ['NOMBRE'] : []),
    ...(address === '' ? ['DIRECCION'] : []),
    ...(city === '' ? ['CIUDAD'] : []),
    ...(/^[A-Z]{2}$/.test(country) && country !== 'ES' ? [] : ['PAIS']),
  ]
  return wrong.map((part) => finding('S0405', part))
}
