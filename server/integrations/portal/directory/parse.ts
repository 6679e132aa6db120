/** Reads a file of the public directory, in a child process: units and offices that belong together, with faulty rows named. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { searchText, sanitizeLine } from '../../../domain/text.ts'
import { UnreadableSpreadsheet } from '../../../platform/spreadsheets/cells.ts'
import type { Cell, FileRow } from '../../../platform/spreadsheets/cells.ts'
import { openSpreadsheet, STORED_TABLE } from '../../../platform/spreadsheets/open.ts'
import { textOf } from '../../../platform/spreadsheets/values.ts'
import { columnName, layoutOf, OFFICE_NAMES } from './columns.ts'
import type { Layout, Office, UnitColumn } from './columns.ts'

export interface DirectoryJob {
  bytes: Uint8Array
}

/** A unit as files name it; null is what a file does not say. */
export interface ParsedUnit {
  code: string
  name: string
  /** Sum of 1 accounting office, 2 managing body, 4 processing unit, 8 proposing body. */
  roles: number
  administration: string | null
  nif: string | null
  street: string | null
  postalCode: string | null
  town: string | null
  province: string | null
  isCurrent: boolean
}

export interface ParsedRelation {
  accountingOffice: string
  managingBody: string
  processingUnit: string
}

export interface DirectoryPart {
  units: ParsedUnit[]
  relations: ParsedRelation[]
}

export interface DirectoryReply {
  rows: number
  faulty: number
  /** The first ones. */
  faults: Fault[]
}

/** One letter and eight digits, or two and seven. */
const CODE = /^(?:[A-Z]\d{8}|[A-Z]{2}\d{7})$/
const ROLES: Readonly<Record<Office, number>> = {
  accountingOffice: 1,
  managingBody: 2,
  processingUnit: 4,
  proposingBody: 8,
}
const MOST_FAULTS = 100
const HEADER_ROWS = 30
const MOST_NAME = 300
const PART = 1_000

const READABLE: Readonly<Record<UnreadableSpreadsheet['why'], string>> = {
  unknown: 'import_file_unknown',
  too_large: 'import_file_too_large',
  too_many_rows: 'import_too_many_rows',
  old_excel: 'import_old_excel',
  protected: 'import_file_protected',
}

function refuse(code: string, message: string, fix: string): Error {
  return validationFailed([{ code, field: 'content', severity: 'error', message, fix }])
}

const text = (cell: Cell | undefined): string => sanitizeLine(textOf(cell ?? null)).slice(0, MOST_NAME)
const orNull = (value: string): string | null => (value === '' ? null : value)

/** A role in a column: its number or its name. */
function rolesIn(written: string): number {
  const folded = searchText(written)
  if (folded === '') return 0
  return (
    (/\b(?:0?1|oc)\b|contable/.test(folded) ? ROLES.accountingOffice : 0) |
    (/\b(?:0?2|og)\b|gestor/.test(folded) ? ROLES.managingBody : 0) |
    (/\b(?:0?3|ut)\b|tramitadora/.test(folded) ? ROLES.processingUnit : 0) |
    (/\b(?:0?4|op)\b|proponente/.test(folded) ? ROLES.proposingBody : 0)
  )
}

/** States in which a unit exists: in force (V), and provisionally (T); without a column all do. */
const isInForce = (written: string): boolean =>
  written === '' || /^(?:v|t|vigente|activ[ao]|alta)/i.test(written)

class Reader {
  readonly units = new Map<string, ParsedUnit>()
  readonly relations = new Map<string, ParsedRelation>()
  readonly faults: Fault[] = []
  faulty = 0
  rows = 0

  read(layout: Layout, row: FileRow): void {
    this.rows += 1
    const isTaken = layout.kind === 'units' ? this.unit(layout, row) : this.relation(layout, row)
    if (!isTaken) this.faulty += 1
  }

  private fault(row: number, place: number, code: string, message: string, value: string): false {
    const column = columnName(place)
    if (this.faults.length < MOST_FAULTS)
      this.faults.push({
        code,
        field: `rows[${row}].${column}`,
        severity: 'error',
        message,
        params: { row, column, value: value.slice(0, 40) },
      })
    return false
  }

  private codeAt(row: FileRow, place: number): string | null {
    const written = text(row.cells[place]).toUpperCase()
    // Code and name in one column: `L01280796 - Ayuntamiento`.
    const code = written.split(/[\s:-]/, 1)[0] ?? ''
    if (CODE.test(code)) return code
    this.fault(row.row, place, 'unit_code_invalid', 'That is no code of a unit.', written)
    return null
  }

  private add(unit: ParsedUnit): void {
    const known = this.units.get(unit.code)
    if (!known) {
      this.units.set(unit.code, unit)
      return
    }
    known.roles |= unit.roles
    known.isCurrent ||= unit.isCurrent
  }

  private unit({ columns }: Extract<Layout, { kind: 'units' }>, row: FileRow): boolean {
    const code = this.codeAt(row, columns.code)
    if (code === null) return false
    const value = (column: UnitColumn): string => {
      const place = columns[column]
      return place === undefined ? '' : text(row.cells[place])
    }
    const name = value('name')
    if (name === '')
      return this.fault(row.row, columns.name, 'unit_name_missing', 'The unit has no name.', '')
    this.add({
      code,
      name,
      roles: rolesIn(value('role')),
      administration: orNull(value('administration')),
      nif: orNull(
        value('nif')
          .replace(/[\s.-]/g, '')
          .toUpperCase(),
      ),
      street: orNull(value('street')),
      postalCode: orNull(value('postalCode')),
      town: orNull(value('town')),
      province: orNull(value('province')),
      isCurrent: isInForce(value('state')),
    })
    return true
  }

  private relation(
    { offices, administration }: Extract<Layout, { kind: 'relations' }>,
    row: FileRow,
  ): boolean {
    const found: Partial<Record<Office, string>> = {}
    let isWhole = true
    for (const office of OFFICE_NAMES) {
      const place = offices[office]
      if (!place) continue
      if (office === 'proposingBody' && text(row.cells[place.code]) === '') continue
      const code = this.codeAt(row, place.code)
      if (code === null) isWhole = false
      else found[office] = code
    }
    const { accountingOffice, managingBody, processingUnit } = found
    if (!isWhole || !accountingOffice || !managingBody || !processingUnit) return false
    for (const office of OFFICE_NAMES) {
      const [code, place] = [found[office], offices[office]]
      if (code === undefined || !place) continue
      const written = place.name === null ? text(row.cells[place.code]) : text(row.cells[place.name])
      // Without a name of its own the unit is found by its code.
      const name = place.name === null ? written.slice(code.length).replace(/^[\s:-]+/, '') : written
      this.add({
        code,
        name: name || code,
        roles: ROLES[office],
        administration: administration === null ? null : orNull(text(row.cells[administration])),
        nif: null,
        street: null,
        postalCode: null,
        town: null,
        province: null,
        isCurrent: true,
      })
    }
    const relation = { accountingOffice, managingBody, processingUnit }
    this.relations.set(Object.values(relation).join(), relation)
    return true
  }
}

/** Reads a file and sends its units in parts. Throws `validation_failed` for a file that is no directory. */
export async function readDirectory(
  job: DirectoryJob,
  sendPart: (part: DirectoryPart) => Promise<void>,
): Promise<DirectoryReply> {
  const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.byteLength)
  const reader = new Reader()
  try {
    const { sheets } = await openSpreadsheet(bytes, STORED_TABLE)
    let isKnown = false
    for (const sheet of sheets) {
      let layout: Layout | null = null
      let before = 0
      for await (const rows of sheet.rows())
        for (const row of rows) {
          if (layout) reader.read(layout, row)
          else if (before++ < HEADER_ROWS) layout = layoutOf(row.cells)
        }
      isKnown ||= layout !== null
    }
    if (!isKnown)
      throw refuse(
        'directory_unknown',
        'No row of the file names the columns of a directory of units.',
        'Use the file as the public body publishes it, with a column for the code of each unit and one for its name.',
      )
  } catch (error) {
    if (error instanceof UnreadableSpreadsheet)
      throw refuse(
        READABLE[error.why],
        'The file cannot be read as a table.',
        'Save it as .xlsx or .csv and choose it again.',
      )
    throw error
  }
  const units = [...reader.units.values()]
  for (let from = 0; from < units.length; from += PART)
    await sendPart({ units: units.slice(from, from + PART), relations: [] })
  const relations = [...reader.relations.values()]
  for (let from = 0; from < relations.length; from += PART)
    await sendPart({ units: [], relations: relations.slice(from, from + PART) })
  return { rows: reader.rows, faulty: reader.faulty, faults: reader.faults }
}
