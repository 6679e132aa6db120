/** Reads a file of a return for a person: what it is, of whom, its boxes, and the parties it names. Pure. */
import { isAscii, isUtf8 } from 'node:buffer'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { amountOf, boxesOf, boxNumbersOf, TotalsOfRecords } from './boxes.ts'
import type { FileBox, FileTotal } from './boxes.ts'
import { openFile } from './file.ts'
import type { FileRecord, OpenFile, ReturnFile } from './file.ts'
import type { RecordValues } from './record.ts'

const KIBIBYTE = 1024
/** Largest file of pages: a 369 with some sixty additional pages. */
export const MAX_PAGES_BYTES = 100 * KIBIBYTE
/**
 * Largest file of records, some 40,000, as of all files that Sello takes: at twice the size the child process can run
 * out of memory.
 */
const MAX_FILE_MIB = 20
export const MAX_FILE_BYTES = MAX_FILE_MIB * KIBIBYTE * KIBIBYTE
/** Parties that are listed; the others are only counted. */
const LISTED = 1000

/** A person that a record names. */
interface FileParty {
  record: string
  taxNumber: string
  name: string
  /** Key of the operation or payment, with its subkey. */
  key: string
  amountCents: number
}

/** How a return stands to an earlier one of its period. */
export type FileNature = 'first' | 'complementary' | 'rectifying' | 'substitutive'

/** What a return says about itself. */
interface FileFacts {
  /** The agency's letter of the kind of return; null where the design has none. */
  kind: string | null
  nature: FileNature
  /** Number of the earlier return that it corrects. */
  previous: string | null
  taxNumber: string
  name: string
}

export interface ReadFile extends FileFacts {
  /** Of records, only that of the filer. */
  file: ReturnFile
  /** The agency's name of the design. */
  version: string
  boxes: FileBox[]
  /** All boxes that the design has. */
  boxNumbers: string[]
  parties: FileParty[]
  /** Parties in all, of which the first 1,000 are listed. */
  partyCount: number
  totals: FileTotal[]
}

function refuse(code: string, message: string, fix?: string, params: Record<string, number> = {}): never {
  throw validationFailed([
    { code, field: 'content', severity: 'error', message, params, ...(fix ? { fix } : {}) },
  ])
}

const PAGE_START = 0x3c
const WIDE_MARKS: readonly (readonly [number, number])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]

/** Throws the failure for a file that is too large. */
export function refuseSize(): never {
  refuse(
    'return_file_too_large',
    `The file is too large: ${MAX_PAGES_BYTES / KIBIBYTE} KiB at most for pages, ${MAX_FILE_MIB} MiB for records.`,
    'Choose the file as it was made for the agency.',
    { pagesKiB: MAX_PAGES_BYTES / KIBIBYTE, recordsMiB: MAX_FILE_MIB },
  )
}

/** Throws if a file is empty, too large, or not written in ISO-8859-1. */
function assertReadable(bytes: Uint8Array): void {
  if (bytes.length === 0) refuse('return_file_empty', 'The file is empty.')
  if (bytes.length > (bytes[0] === PAGE_START ? MAX_PAGES_BYTES : MAX_FILE_BYTES)) refuseSize()
  const isWide = WIDE_MARKS.some(([first, second]) => bytes[0] === first && bytes[1] === second)
  // Letters of ISO-8859-1 beyond ASCII hardly ever form UTF-8 by chance: it wants at least two of them together.
  if (isWide || (!isAscii(bytes) && isUtf8(bytes)))
    refuse(
      'return_file_encoding',
      'The file is in UTF-8 or another Unicode encoding; the agency takes ISO-8859-1.',
      'Save it with the encoding ISO-8859-1 (Latin-1), without a byte order mark.',
    )
}

const textOf = (value: number | string | undefined): string => (value === undefined ? '' : String(value))

function natureOf(values: RecordValues): FileNature {
  if (values.rectifying !== undefined) return 'rectifying'
  if ((values.substitutive ?? values.replaces ?? values.rectifies) !== undefined) return 'substitutive'
  return values.complementary === undefined ? 'first' : 'complementary'
}

function nameOf({ name, surnames, firstName }: RecordValues): string {
  return [name, surnames, firstName].map(textOf).filter(Boolean).join(' ')
}

function partyOf(model: ReturnFile['model'], record: FileRecord): FileParty {
  const { values } = record
  const subkey = values.subkey === undefined ? '' : String(values.subkey).padStart(2, '0')
  return {
    record: record.record,
    taxNumber: textOf(values.partyNif) || `${textOf(values.euCountry)}${textOf(values.euNumber)}`,
    name: textOf(values.partyName),
    key: `${textOf(values.operation ?? values.incomeKey)}${subkey}`,
    amountCents: amountOf(model, record),
  }
}

/** Returns what a return says about itself; of a fact that several pages state, the first counts. */
export function factsOf({ filer, records }: ReturnFile): FileFacts {
  const values: RecordValues = Object.assign({}, ...records.toReversed().map((record) => record.values))
  const previous = textOf(values.previousReceipt ?? values.previousNumber)
  return {
    kind: values.kind === undefined ? null : textOf(values.kind),
    nature: natureOf(values),
    previous: previous === '' ? null : previous,
    taxNumber: textOf(filer ?? values.nif),
    name: nameOf(values),
  }
}

/** Reads the records of a file; of those of other persons only the first 1,000 stay in memory. */
function readRecords({ layout, head, records }: OpenFile) {
  if (layout.kind === 'pages')
    return { read: [...records], parties: [], partyCount: 0, totals: [] as FileTotal[] }
  const read: FileRecord[] = []
  const parties: FileParty[] = []
  let partyCount = 0
  let totals = new TotalsOfRecords(head.model, {})
  for (const record of records) {
    if (read.length === 0) {
      read.push(record)
      totals = new TotalsOfRecords(head.model, record.values)
      continue
    }
    totals.add(record)
    partyCount += 1
    if (parties.length < LISTED) parties.push(partyOf(head.model, record))
  }
  return { read, parties, partyCount, totals: totals.totals() }
}

/** Throws if the record of the filer announces another number of records than there are, as in a file cut at a line. */
function assertCounts(totals: readonly FileTotal[]): void {
  for (const { key, kind, declared, found } of totals)
    if (kind === 'count' && declared !== found)
      throw validationFailed([
        {
          code: 'return_file_count',
          field: `records[0].${key}`,
          severity: 'error',
          message: `The first record announces ${declared} records, the file has ${found}: it is not complete.`,
          params: { declared, found },
        },
      ])
}

/**
 * Reads a file of a return. Throws `validation_failed` where it is cut off, not in ISO-8859-1, too large or not as its
 * design says, and `no_file_layout` for an exercise whose design is not known.
 */
export async function readReturnFile(bytes: Uint8Array): Promise<ReadFile> {
  assertReadable(bytes)
  const open = await openFile(bytes)
  const { read, parties, partyCount, totals } = readRecords(open)
  assertCounts(totals)
  const file = { ...open.head, records: read }
  const facts = factsOf(file)
  if (facts.taxNumber === '') refuse('return_file_without_filer', 'The file names nobody whose return it is.')
  return {
    ...facts,
    file,
    version: open.layout.version,
    boxes: boxesOf(open.layout, read),
    boxNumbers: [...boxNumbersOf(open.layout)],
    parties,
    partyCount,
    totals,
  }
}
