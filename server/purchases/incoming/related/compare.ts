/** Rules by which two documents are the same invoice, or the same paper. Pure. */
import { daysBetween } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import { searchText } from '../../../domain/text.ts'

/** Normalizes a supplier's number: no blanks, no case, no zeros in front of its runs of digits; '' for none. */
export function numberKey(number: string | null): string {
  return (number ?? '')
    .toUpperCase()
    .replace(/\s+/g, '')
    .replace(/(?<!\d)0+(?=\d)/g, '')
}

/** What is compared of a document or an entry. */
export interface Compared {
  nif: string | null
  name: string | null
  number: string | null
  issueDate: BusinessDate | null
  totalCents: Cents | null
  currency: string
}

function isSameSupplier(one: Compared, other: Compared): boolean {
  if (one.nif !== null && other.nif !== null) return one.nif === other.nif
  return one.name !== null && other.name !== null && searchText(one.name) === searchText(other.name)
}

/** True for the same supplier and number in one year; a missing day may be of any. */
export function isSameNumber(one: Compared, other: Compared): boolean {
  const key = numberKey(one.number)
  if (key === '' || key !== numberKey(other.number) || !isSameSupplier(one, other)) return false
  if (one.issueDate === null || other.issueDate === null) return true
  return one.issueDate.slice(0, 4) === other.issueDate.slice(0, 4)
}

/** Days between which the same total of a supplier may be the same invoice. */
export const NEAR_DAYS = 3
/** Signs in which a number may differ that was read wrongly. */
const MISREAD_SIGNS = 2

/** True if two numbers may be one that was read wrongly. */
function areAlike(one: string, other: string): boolean {
  if (one === '' || other === '') return true
  if (one.length !== other.length) return Math.abs(one.length - other.length) <= MISREAD_SIGNS && (one.includes(other) || other.includes(one)) // prettier-ignore
  return [...one].filter((sign, index) => sign !== other[index]).length <= MISREAD_SIGNS
}

/** True for the same supplier and total within three days, unless the numbers are clearly others. */
export function isSameTotal(one: Compared, other: Compared): boolean {
  if (one.totalCents === null || one.totalCents !== other.totalCents) return false
  if (one.currency !== other.currency || !isSameSupplier(one, other)) return false
  if (one.issueDate === null || other.issueDate === null) return false
  if (Math.abs(daysBetween(one.issueDate, other.issueDate)) > NEAR_DAYS) return false
  return areAlike(numberKey(one.number), numberKey(other.number))
}

/** Bits in which two pictures of one paper may differ, of 64. */
const SAME_PICTURE = 8

/** Returns in how many bits two hashes of 16 hexadecimal digits differ. */
export function hashDistance(one: string, other: string): number {
  let bits = 0
  for (let rest = BigInt(`0x${one}`) ^ BigInt(`0x${other}`); rest > 0n; rest >>= 1n) if (rest & 1n) bits += 1
  return bits
}

/** True if two pictures are of one paper. */
export function isSamePicture(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && hashDistance(one, other) <= SAME_PICTURE
}
