/** Reads a bank file in a child process with limits of memory and time. */
import { parse, ParserFailure } from '../../../platform/processes/parsers.ts'
import type { FilePieces, ParserFault } from '../../../platform/processes/parsers.ts'
import type { CsvChoice, ReadBankFile } from './read.ts'
import { MAX_FILE_BYTES } from './bytes.ts'
import { refuseFile } from './statement.ts'
import type { Movement } from './statement.ts'

export interface BankJob {
  bytes: Uint8Array
  choice: CsvChoice
  lenient: boolean
}

/** The answer without its movements, which arrive in chunks before it. */
export type BankFileHead = ReadBankFile

export interface MovementsPart {
  /** Index of the statement that the movements belong to. */
  statement: number
  movements: Movement[]
}

const TIMEOUT_MS = 60_000

const FAULTS: Record<ParserFault, readonly [code: string, message: string, fix: string]> = {
  too_large: [
    'bank_file_too_large',
    'The file needs more memory than a file of movements may take.',
    'Ask the bank for fewer days.',
  ],
  too_slow: [
    'bank_file_too_large',
    'The file takes longer to read than a file of movements may take.',
    'Ask the bank for fewer days.',
  ],
  broken: [
    'bank_file_unknown',
    'That is no file of movements Sello knows.',
    'Download Norma 43, camt.053 or CSV from the bank.',
  ],
}

/** Does what `readBankFile` does. Also throws `validation_failed` when the file exceeds the limits of memory or time. */
export async function readBankFileInChildProcess(
  file: FilePieces,
  choice: CsvChoice = {},
  lenient = false,
): Promise<ReadBankFile> {
  if (file.length > MAX_FILE_BYTES)
    refuseFile('bank_file_too_large', 'The file is larger than 20 MiB.', {}, 'Ask the bank for fewer days.')
  const movements = new Map<number, Movement[]>()
  try {
    const head = await parse<Omit<BankJob, 'bytes'>, BankFileHead>(
      'bank',
      { choice, lenient },
      {
        from: import.meta.url,
        timeoutMs: TIMEOUT_MS,
        bytes: file,
        onPart: (part: MovementsPart) => {
          const all = movements.get(part.statement)
          if (all) for (const one of part.movements) all.push(one)
          else movements.set(part.statement, part.movements)
        },
      },
    )
    return {
      ...head,
      statements: head.statements.map((each, index) => ({ ...each, movements: movements.get(index) ?? [] })),
    }
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    const [code, message, fix] = FAULTS[error.why]
    return refuseFile(code, message, {}, fix)
  }
}
