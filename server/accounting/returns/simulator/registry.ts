/** What stands already for a return, who may file it, and the filing itself. */
import { madridTime } from '../../../domain/dates.ts'
import { isNif } from '../../../domain/tax/nif.ts'
import { finding } from './findings.ts'
import type { Finding } from './findings.ts'
import type { PageReturn } from './checks/page-file.ts'
import type { DeclaredReturn, ReturnKey, ReturnsState } from './state.ts'

/** A power that the agency has registered: this person or company may file for another one. */
export interface Power {
  nif: string
  for: string
  as: keyof typeof CAPACITIES
}

/** What `TipoRepresentacion` says of each. How the real service names them is not known. */
const CAPACITIES = {
  attorney: 'Apoderado',
  collaborator: 'Colaborador social',
  legal: 'Representante legal',
} as const

/** Returns a list of powers from outside, or null unless each has both tax numbers and a capacity. */
export function readPowers(value: unknown): Power[] | null {
  if (!Array.isArray(value)) return null
  const read = value.map((each: unknown): Power | null => {
    if (typeof each !== 'object' || each === null) return null
    const { nif, for: filer, as = 'attorney' } = each as Record<string, unknown>
    const isWhole =
      typeof nif === 'string' && isNif(nif) && typeof filer === 'string' && isNif(filer) && isCapacity(as)
    return isWhole ? { nif, for: filer, as } : null
  })
  return read.every((each) => each !== null) ? read : null
}

const isCapacity = (value: unknown): value is Power['as'] =>
  typeof value === 'string' && Object.hasOwn(CAPACITIES, value)

/** Returns how a signer represents the filer, as the answer says it; empty for the filer itself. */
export function capacityOf(signerNif: string, filerNif: string, powers: readonly Power[]): string {
  if (signerNif === filerNif) return ''
  const power = powers.find((each) => each.nif === signerNif && each.for === filerNif)
  return power ? CAPACITIES[power.as] : ''
}

/** Who signs, as the message says it. */
interface Signer {
  nif: string
  name: string
}

/** Returns what is wrong with the signer: it must be one of the certificate's numbers, and the filer or one with its power. */
export function signerFindings(
  signer: Signer,
  filerNif: string,
  callers: readonly string[],
  powers: readonly Power[],
): Finding[] {
  if (signer.name.trim() === '') return [finding('S0011')]
  if (!callers.includes(signer.nif)) return [finding('S0009', signer.nif)]
  return mayActFor(filerNif, [signer.nif], powers) ? [] : [finding('S0010', signer.nif)]
}

/** Returns true if one of the numbers is the filer's or has its power. */
export function mayActFor(filerNif: string, nifs: readonly string[], powers: readonly Power[]): boolean {
  return nifs.some(
    (nif) => nif === filerNif || powers.some((each) => each.nif === nif && each.for === filerNif),
  )
}

/** Returns what is filed for a period and was not cancelled, oldest first. */
export async function standingReturns(state: ReturnsState, key: ReturnKey): Promise<DeclaredReturn[]> {
  const declared = await state.declared(key)
  if (declared.every(({ text }) => text.startsWith('<'))) return declared
  const cancelled = (await state.lastSending(key))?.cancelled ?? []
  return declared.filter(({ file }) => !cancelled.includes(file))
}

/**
 * Returns what forbids a return beside the earlier ones. The service has no key against repetition: the same file twice is
 * a second return, which is refused.
 */
export function laterReturnFindings(filed: PageReturn, earlier: readonly DeclaredReturn[]): Finding[] {
  const latest = earlier.at(-1)
  if (filed.nature === 'first')
    return latest
      ? [finding('S0302', `justificante ${latest.receipt}, expediente ${latest.file}, CSV ${latest.csv}`)]
      : []
  if (!earlier.some(({ receipt }) => receipt === filed.previousReceipt))
    return [finding('S0303', filed.previousReceipt)]
  if (filed.nature !== 'complementary' || filed.paidBeforeCents === null) return []
  const paid = earlier.reduce((sum, { resultCents }) => sum + Math.max(0, resultCents), 0)
  return paid === filed.paidBeforeCents ? [] : [finding('S0304', String(filed.paidBeforeCents))]
}

/** Returns day and time in Spain of an instant in epoch milliseconds. */
export function spanishTime(at: number): { day: string; time: string } {
  const { date, time } = madridTime(new Date(at))
  return { day: date, time }
}

/** Returns an amount as the service writes it: euros with a comma. Cents in. */
export function euroText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}
