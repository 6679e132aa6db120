/** Common model of all bank files: statements of accounts with their movements, and the warnings found while reading. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'

/** One operation of a batch that the bank booked as one movement. */
export interface MovementDetail {
  /** Same sign as the movement. */
  amountCents: Cents
  name: string | null
  iban: string | null
  text: string
}

export interface Movement {
  /** Position in the file: line of text, or number of the entry in XML. */
  line: number
  date: BusinessDate
  valueDate: BusinessDate | null
  /** Positive for money received. */
  amountCents: Cents
  /** Account balance after the movement; computed where the file gives only the opening and closing balances. */
  balanceCents: Cents | null
  text: string
  counterparty: string | null
  counterpartyIban: string | null
  reference: string | null
  /** The bank's transaction code: `17` in Norma 43, `PMNT/RCDT/ESCT` in camt. */
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

/** Most movements in one file. */
export const MAX_MOVEMENTS = 100_000
/** Longest stored text of a movement, in characters. */
const MAX_TEXT = 500

/** Returns an error at a line of the file. */
export function fileFault(
  code: string,
  message: string,
  params: Record<string, string | number> = {},
  fix?: string,
): Fault {
  return { code, field: 'content', severity: 'error', message, params, ...(fix ? { fix } : {}) }
}

/** Returns a warning at a line of the file; it does not prevent the import. */
export function fileWarning(
  code: string,
  message: string,
  params: Record<string, string | number> = {},
): Fault {
  return { code, field: 'content', severity: 'warning', message, params }
}

/** Rejects the file. */
export function refuseFile(
  code: string,
  message: string,
  params: Record<string, string | number> = {},
  fix?: string,
): never {
  throw validationFailed([fileFault(code, message, params, fix)])
}

/** Collects faults up to a limit, so that one rejection lists them all. */
export class FileFaults {
  private readonly faults: Fault[] = []

  add(code: string, message: string, params: Record<string, string | number> = {}, fix?: string): void {
    if (this.faults.length < 50) this.faults.push(fileFault(code, message, params, fix))
  }

  /** Throws `validation_failed` when there are any faults. */
  check(): void {
    if (this.faults.length > 0) throw validationFailed(this.faults)
  }
}

/** Normalizes bank text to one line: no control or invisible characters, single blanks, bounded length. */
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
