/** Contracts of imports: contacts, items and received invoices from CSV and Excel files. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { BytesAnswer, FaultShape, Instant, line, PathId } from '../../domain/contract/fields.ts'

/** Body limit for a file of 20 MiB in base64. */
const FILE_BODY_MIB = 28
const MAX_BASE64 = 27 * 1024 * 1024

export const ImportKind = z.enum(['contacts', 'items', 'received'])
export type ImportKind = z.infer<typeof ImportKind>

const ImportState = z.enum(['draft', 'running', 'done', 'undoing', 'undone']).meta({
  description: 'draft: read, nothing taken; running and undoing go on with another call.',
})

export const Mapping = z
  .record(z.string().max(40), z.int().min(0).max(199))
  .meta({ description: 'Which column, from 0, each field is read from.' })
export type Mapping = z.infer<typeof Mapping>

export const ImportOptions = z
  .strictObject({
    onDuplicate: z
      .enum(['skip', 'update'])
      .optional()
      .meta({ description: 'What is here already is left alone (default) or completed from the file.' }),
    dateOrder: z.enum(['dmy', 'mdy', 'ymd']).optional().meta({ description: 'Default: as the values say.' }),
    decimalSign: z.enum([',', '.']).optional().meta({ description: 'Default: as the values say.' }),
  })
  .meta({ id: 'ImportOptions' })
export type ImportOptions = z.infer<typeof ImportOptions>

export const ImportRun = z
  .strictObject({
    id: z.string(),
    kind: ImportKind,
    state: ImportState,
    fileName: z.string(),
    format: z.enum(['csv', 'xlsx']),
    columns: z.array(z.strictObject({ index: z.int(), title: z.string(), samples: z.array(z.string()) })),
    mapping: Mapping,
    options: ImportOptions,
    rows: z.int(),
    taken: z.int().meta({ description: 'Rows looked at so far.' }),
    created: z.int(),
    updated: z.int(),
    skipped: z.int(),
    failed: z.int(),
    restored: z.int().meta({ description: 'Of an undo: put back.' }),
    kept: z.int().meta({ description: 'Of an undo: left, for it was changed or used since.' }),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'ImportRun' })
export type ImportRun = z.infer<typeof ImportRun>

const FieldList = z.array(z.strictObject({ name: z.string(), required: z.boolean() }))

const RowReport = z.strictObject({
  row: z.int().meta({ description: 'Row of the file, from 1.' }),
  outcome: z.enum(['created', 'updated', 'skipped', 'failed']),
  label: z.string(),
  faults: z.array(FaultShape),
})

export const uploadImportContract = defineContract({
  name: 'imports.upload',
  summary: 'Read a CSV or Excel file; nothing is taken yet.',
  description:
    'Formulas are never evaluated, cells are data. Delimiter, encoding and columns are guessed; the answer says how, and imports.check tries another way.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/imports', status: 201, location: '/imports/{run.id}' },
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject({
    kind: ImportKind,
    fileName: line(200),
    content: z.base64().min(1).max(MAX_BASE64).meta({ description: 'The file in base64; at most 20 MiB.' }),
    sheet: line(120).optional().meta({ description: 'Of an Excel file. Default: the first.' }),
  }),
  output: z.strictObject({
    run: ImportRun,
    sheets: z.array(z.string()),
    encoding: z.string().nullable(),
    delimiter: z.string().nullable(),
    fields: FieldList,
  }),
  errors: ['validation_failed'],
})

export const checkImportContract = defineContract({
  name: 'imports.check',
  summary: 'Try a file row by row with the rules of the API; nothing is written to the books.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/imports/:id/check' },
  input: z.strictObject({
    id: PathId,
    mapping: Mapping.optional(),
    options: ImportOptions.optional(),
    report: z.int().min(0).max(500).optional().meta({ description: 'Most rows to report. Default 100.' }),
  }),
  output: z.strictObject({
    run: ImportRun,
    created: z.int(),
    updated: z.int(),
    skipped: z.int(),
    failed: z.int(),
    rows: z.array(RowReport).meta({ description: 'Rows with something to say, wrong ones first.' }),
  }),
  errors: ['validation_failed', 'not_found', 'import_state'],
})

export const applyImportContract = defineContract({
  name: 'imports.apply',
  summary: 'Take the next stretch of rows; call again until the state is done.',
  description:
    'Each stretch is one transaction, so whatever interrupts it, the next call goes on where it stopped, and imports.undo takes back what was done.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/imports/:id/apply' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ run: ImportRun }),
  errors: ['validation_failed', 'not_found', 'import_state'],
})

export const undoImportContract = defineContract({
  name: 'imports.undo',
  summary: 'Take back the next stretch of an import; call again until the state is undone.',
  description:
    'What was created is removed, unless it has been changed or used since; what was changed is put back. Received invoices are voided, for their numbers stay taken.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/imports/:id/undo' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ run: ImportRun }),
  errors: ['not_found', 'import_state'],
})

export const getImportContract = defineContract({
  name: 'imports.get',
  summary: 'An import and the rows it did not take.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/imports/:id' },
  input: z.strictObject({ id: PathId, report: z.int().min(0).max(500).optional() }),
  output: z.strictObject({ run: ImportRun, fields: FieldList, rows: z.array(RowReport) }),
  errors: ['not_found'],
})

export const listImportsContract = defineContract({
  name: 'imports.list',
  summary: 'The last imports, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/imports' },
  input: z.strictObject({
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(ImportRun), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

export const discardImportContract = defineContract({
  name: 'imports.discard',
  summary: 'Throw away a file of which nothing was taken.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/imports/:id' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'import_state'],
})

export const importTemplateContract = defineContract({
  name: 'imports.template',
  summary: 'A CSV file to fill in: the titles of the columns and an example.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/imports/template' },
  media: 'text/csv',
  input: z.strictObject({ kind: ImportKind, language: z.enum(['es', 'en']).optional() }),
  output: BytesAnswer,
  errors: [],
})
