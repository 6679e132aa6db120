/** Shapes of the files of a move: what each is, how it is read, what it asks and what it comes to. */
import { z } from 'zod'
import { euros, FaultShape, line } from '../../domain/contract/fields.ts'
import { CHOSEN_CONTENTS, FILE_CONTENTS } from './files/codes.ts'

const TableName = {
  entry: line(300).nullable().meta({ description: 'Of an archive, its entry.' }),
  sheet: line(120).nullable().meta({ description: 'Of a workbook, its sheet.' }),
}
const Mapping = z
  .record(z.string().max(40), z.int().min(0).max(199))
  .meta({ description: 'Which column, from 0, each field is read from.' })
const DateOrder = z.enum(['dmy', 'mdy', 'ymd'])
const DecimalSign = z.enum([',', '.'])

export const TableChoice = z
  .strictObject({
    ...TableName,
    content: z.enum(CHOSEN_CONTENTS).optional().meta({ description: 'Default: as recognized.' }),
    mapping: Mapping.optional(),
    dateOrder: DateOrder.optional(),
    decimalSign: DecimalSign.optional(),
    leaveOut: z.boolean().optional().meta({ description: 'Do not read this table.' }),
  })
  .meta({ id: 'MovingTableChoice' })
export type TableChoice = z.infer<typeof TableChoice>

export const MovingFault = z
  .strictObject({
    ...FaultShape.shape,
    entry: z.string().nullable(),
    sheet: z.string().nullable(),
    row: z.int().nullable().meta({ description: 'Row of the sheet, from 1.' }),
    column: z.string().nullable().meta({ description: 'Title of the column.' }),
  })
  .meta({ id: 'MovingFault' })

const MovingTable = z.strictObject({
  entry: z.string().nullable(),
  sheet: z.string().nullable(),
  content: z.enum(FILE_CONTENTS),
  isChosen: z.boolean().meta({ description: 'A person said what it is.' }),
  isLeftOut: z.boolean(),
  isRead: z.boolean().meta({ description: 'False of contents that a move does not take in.' }),
  program: z.string().nullable(),
  layout: z.enum(['published', 'reader', 'believed']).nullable(),
  layoutSource: z.string().nullable(),
  sure: z.enum(['certain', 'likely', 'guess']),
  reason: z.strictObject({
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  headerRow: z.int().nullable(),
  columns: z.array(z.strictObject({ index: z.int(), title: z.string(), samples: z.array(z.string()) })),
  fields: z.array(z.string()).meta({ description: 'Fields that a column can be chosen for.' }),
  mapping: Mapping,
  dateOrder: DateOrder,
  decimalSign: DecimalSign,
  rows: z.int(),
  documents: z.int().meta({ description: 'Documents, or rows of another list, that were read.' }),
  failed: z.int(),
  skipped: z.int(),
})

const MovingQuestion = z.strictObject({
  id: z.string(),
  code: z.string(),
  about: z.string(),
  name: z.string().nullable().meta({ description: 'Of the party that it is asked of.' }),
  guess: z.string(),
  answer: z.string().nullable(),
  choices: z.array(z.string()),
  depends: z.array(z.string()).meta({ description: 'Returns, `records` or `documents` that depend on it.' }),
  documents: z.int(),
  base: euros('Sum of the bases concerned.'),
  first: z.strictObject({ sheet: z.string().nullable(), row: z.int().nullable() }),
})

const MonthSum = z.strictObject({
  side: z.enum(['issued', 'received']),
  month: z.string().meta({ description: 'YYYY-MM; of received documents, of their reception.' }),
  documents: z.int(),
  base: euros('Bases.'),
  tax: euros('VAT with surcharge.'),
  withheld: euros('Income tax withheld.'),
  total: euros('Totals.'),
})

const SkippedRow = z.strictObject({
  entry: z.string().nullable(),
  sheet: z.string().nullable(),
  row: z.int(),
  reason: z.string(),
  text: z.string(),
})

export const MovingFile = z.strictObject({
  id: z.string(),
  name: z.string(),
  bytes: z.int(),
  state: z.enum(['reading', 'read', 'refused']).meta({
    description:
      'reading: being read, or its reading was interrupted: add it again; refused: no file that can be read.',
  }),
  progress: z.strictObject({
    table: z.int(),
    tables: z.int(),
    rowsRead: z.int(),
    rows: z.int(),
  }),
  format: z.enum(['csv', 'xlsx', 'zip', 'pdf', 'fixed', 'text']).nullable(),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  tables: z.array(MovingTable),
  archived: z.int().meta({ description: 'PDF documents of an archive.' }),
  questions: z.array(MovingQuestion),
  sums: z.array(MonthSum),
  faults: z.array(MovingFault).meta({ description: 'Of the whole file or a whole table.' }),
  skippedRows: z.array(SkippedRow).meta({ description: 'Rows that are no documents; the first 200.' }),
  waiting: z.int().meta({ description: 'Documents that were read and are not taken in yet.' }),
  failed: z.int().meta({ description: 'Documents with an error, which are not taken in.' }),
  created: z.int(),
  skipped: z.int(),
})
export type MovingFile = z.infer<typeof MovingFile>
