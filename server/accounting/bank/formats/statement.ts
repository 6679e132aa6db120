/** What every file of a bank comes down to: statements of accounts with their movements, and what was odd in the file. */
import { validationFailed } from '../../../domain/errors/catalog.ts'
import type { Fault } from '../../../domain/errors/catalog.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'

/** One operation of those a bank puts together into one movement. */
export interface MovementDetail {
  /** Signed like the movement. */
  amountCents: Cents
  name: string | null
  iban: string | null
  text: string
}

export interface Movement {
  /** Where it stands in the file: line of text, or number of the entry in XML. */
  line: number
  date: BusinessDate
  valueDate: BusinessDate | null
  /** Positive when money comes in. */
  amountCents: Cents
  /** Of the account after it; computed where the file gives only the balances at both ends. */
  balanceCents: Cents | null
  text: string
  counterparty: string | null
  counterpartyIban: string | null
  reference: string | null
  /** The bank's code of what it is: `17` of Norma 43, `PMNT/RCDT/ESCT` of camt. */
  concept: string | null
  details: MovementDetail[]
}

export interface Statement {
  iban: string | null
  from: BusinessDate | null
  to: BusinessDate | null
  openingCents: Cents | null
  closingCents: Cents | null
  /** Oldest first. */
  movements: Movement[]
}

export interface BankFile {
  format: 'n43' | 'camt053' | 'csv'
  encoding: string
  statements: Statement[]
  warnings: Fault[]
}

/** Most movements that one file may hold. */
export const MAX_MOVEMENTS = 100_000
/** Longest text kept of a movement. */
export const MAX_TEXT = 500

/** A fault of the file, at a line. */
export function fileFault(
  code: string,
  message: string,
  params: Record<string, string | number> = {},
  fix?: string,
): Fault {
  return { code, field: 'content', severity: 'error', message, params, ...(fix ? { fix } : {}) }
}

/** The same, as something that does not keep the file from being taken. */
export function fileWarning(
  code: string,
  message: string,
  params: Record<string, string | number> = {},
): Fault {
  return { code, field: 'content', severity: 'warning', message, params }
}

/** Refuses the file. */
export function refuseFile(
  code: string,
  message: string,
  params: Record<string, string | number> = {},
  fix?: string,
): never {
  throw validationFailed([fileFault(code, message, params, fix)])
}

/** Collects faults, so that a file is refused once with all that is wrong, up to a bound. */
export class FileFaults {
  private readonly faults: Fault[] = []

  add(code: string, message: string, params: Record<string, string | number> = {}, fix?: string): void {
    if (this.faults.length < 50) this.faults.push(fileFault(code, message, params, fix))
  }

  /** Throws `validation_failed` when there are any. */
  check(): void {
    if (this.faults.length > 0) throw validationFailed(this.faults)
  }
}

/** Text of a bank on one line: no control or hidden characters, single blanks, bounded. */
export function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
    .replace(/\p{Noncharacter_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT)
    .replace(/[\ud800-\udbff]$/, '')
}
