/**
 * Accounts of the office for those of the ledger: general ones with zeros behind, those of contacts with a number that
 * is given once and never again. Pure.
 */

/** A number of a contact, or an account that somebody typed for a general one. */
export interface StoredNumber {
  id: number
  /** Code in the ledger. */
  code: string
  /** Row of the contact; null for a typed account, and once the contact is gone. */
  contactId: number | null
  prefix: string | null
  number: number | null
  typed: string | null
  isRetired: boolean
}

export interface NewNumber {
  code: string
  contactId: number
  prefix: string
  number: number
}

interface NumberSettings {
  digits: number
  firstCustomer: number
  firstSupplier: number
}

export type NumberFault = 'hand_on_digits_short' | 'hand_on_typed_digits' | 'hand_on_numbers_full'

type Found = { account: string } | { fault: NumberFault; account: string }

/** Accounts that people have one by one: customers, suppliers, creditors, debtors, staff, suppliers of assets. */
const OF_PEOPLE = /^(4[0134]|46|17|52)/
const CUSTOMERS = /^4[34]/

/** Returns an account with the office's digits: 4300007 from 430 and 7; null if the number has too many. */
export function numbered(prefix: string, number: number, digits: number): string | null {
  const room = digits - prefix.length
  return room < 1 || String(number).length > room ? null : prefix + String(number).padStart(room, '0')
}

/** Splits a typed account of a contact into its first three digits and the number behind. */
export function splitTyped(account: string): { prefix: string; number: number } {
  return { prefix: account.slice(0, 3), number: Number(account.slice(3)) }
}

/** True if contacts have accounts of this group one by one. */
export const hasOwnAccounts = (code: string): boolean => OF_PEOPLE.test(code)

/** The numbers of a book. New ones are given in the order asked for. */
export class Numbers {
  readonly added: NewNumber[] = []
  private readonly byContact = new Map<string, { prefix: string; number: number }>()
  private readonly byCode = new Map<string, string>()
  /** Every number that was ever given. */
  private readonly given = new Set<string>()
  private readonly highest = new Map<string, number>()
  private readonly ofContact = new Map<number, number>()

  private readonly settings: NumberSettings

  constructor(settings: NumberSettings, stored: readonly StoredNumber[]) {
    this.settings = settings
    for (const { code, contactId, prefix, number, typed, isRetired } of stored) {
      if (prefix !== null && number !== null) this.give(prefix, number)
      if (isRetired) continue
      if (typed !== null) this.byCode.set(code, typed)
      else if (contactId !== null && prefix !== null && number !== null)
        this.keep({ code, contactId, prefix, number })
    }
  }

  /** Returns the account of a line: that of the contact where people have their own. */
  accountOf(code: string, contactId: number | null): Found {
    if (contactId !== null && hasOwnAccounts(code)) return this.accountOfContact(code, contactId)
    const { digits } = this.settings
    const typed = this.byCode.get(code)
    if (typed !== undefined)
      return typed.length === digits ? { account: typed } : { fault: 'hand_on_typed_digits', account: typed }
    return code.length > digits
      ? { fault: 'hand_on_digits_short', account: code }
      : { account: code.padEnd(digits, '0') }
  }

  private accountOfContact(code: string, contactId: number): Found {
    const known = this.byContact.get(`${code}/${contactId}`) ?? this.next(code, contactId)
    const account = known && numbered(known.prefix, known.number, this.settings.digits)
    return account === null ? { fault: 'hand_on_numbers_full', account: known?.prefix ?? code } : { account }
  }

  private next(code: string, contactId: number): { prefix: string; number: number } | null {
    const { digits, firstCustomer, firstSupplier } = this.settings
    const first = CUSTOMERS.test(code) ? firstCustomer : firstSupplier
    const same = this.ofContact.get(contactId)
    // Customer 7 is 7 of every account, where that is free.
    let number =
      same !== undefined && same >= first && !this.given.has(`${code}/${same}`)
        ? same
        : Math.max(first, (this.highest.get(code) ?? 0) + 1)
    while (this.given.has(`${code}/${number}`) || this.isTaken(code, number)) number += 1
    if (numbered(code, number, digits) === null) return null
    const added = { code, contactId, prefix: code, number }
    this.give(code, number)
    this.keep(added)
    this.added.push(added)
    return added
  }

  /** True if another prefix has the account that this number would get: 4309 and 1, and 430 and 90001. */
  private isTaken(prefix: string, number: number): boolean {
    const account = numbered(prefix, number, this.settings.digits)
    if (account === null) return false
    for (let length = 3; length < Math.min(account.length, 6); length += 1)
      if (
        length !== prefix.length &&
        this.given.has(`${account.slice(0, length)}/${Number(account.slice(length))}`)
      )
        return true
    return false
  }

  private give(prefix: string, number: number): void {
    this.given.add(`${prefix}/${number}`)
    if (number > (this.highest.get(prefix) ?? 0)) this.highest.set(prefix, number)
  }

  private keep({ code, contactId, prefix, number }: NewNumber): void {
    this.byContact.set(`${code}/${contactId}`, { prefix, number })
    if (!this.ofContact.has(contactId)) this.ofContact.set(contactId, number)
  }
}
