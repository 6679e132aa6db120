/**
 * The numbers that the simulator gives: derived from the return and its place among those of its period, so that the same
 * messages always get the same numbers, also after a restart.
 */
import { sha256Hex } from '../../../domain/sha256.ts'
import type { ReturnKey, ReturnsState } from './state.ts'

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const CONTROL_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

function numberFrom(seed: string): bigint {
  return BigInt(`0x${sha256Hex(seed).slice(0, 32)}`)
}

const seedOf = ({ nif, model, year, period }: ReturnKey): string => `${nif} ${model} ${year} ${period}`

/** Returns digits of a return's own: the same for all that is filed for it, with its place at the end. */
function digitsOf(key: ReturnKey, place: number, length: number): string {
  const own = String(numberFrom(seedOf(key)) % 10_000_000n).padStart(7, '0')
  return (own + String(place).padStart(3, '0')).padStart(length, '0')
}

/** Returns a CSV that the state does not hold yet. */
export async function newCsvFor(state: ReturnsState, key: ReturnKey, place: number): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    let rest = numberFrom(`${seedOf(key)} ${place} ${attempt}`)
    let csv = ''
    for (; csv.length < 16; rest /= 36n) csv += SIGNS.charAt(Number(rest % 36n))
    if (!(await state.byCsv(csv))) return csv
  }
}

/** Returns the receipt number of a page model: 13 characters that begin with the model. */
export function receiptOf(key: ReturnKey, place: number): string {
  return key.model + digitsOf(key, place, 10)
}

/** Returns the number of the agency's file of a page model: 16 digits and a letter. */
export function fileOf(key: ReturnKey, place: number): string {
  const digits = digitsOf(key, place, 10)
  return `${key.year}${key.model}${digits.slice(-8)}${CONTROL_LETTERS.charAt(Number(digits) % CONTROL_LETTERS.length)}`
}

/** Returns the number of the agency's file of an informative return: 22 digits. */
export function informativeFileOf(key: ReturnKey, place: number): string {
  return `${key.year}${key.model}${digitsOf(key, place, 15)}`
}

/** Returns an `IDENVIO` that the state does not hold yet. */
export async function newSendingId(
  state: ReturnsState,
  key: ReturnKey,
  day: string,
  serial: number,
): Promise<string> {
  for (let attempt = serial; ; attempt++) {
    const id = `${key.model}${key.year}${key.period}${day.replaceAll('-', '')}${digitsOf(key, attempt, 10)}`
    if (!(await state.sending(id))) return id
  }
}
