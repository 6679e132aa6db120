/**
 * Contract of archives of documents: the invoices of a list as files in one ZIP, prepared in the background and
 * streamed on demand.
 */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { Instant, PathId, StreamAnswer } from '../../../domain/contract/fields.ts'
import { DOCUMENT_LANGUAGES } from '../../../domain/languages.ts'
import { InvoiceFilter } from '../../../sales/invoices/contract.ts'
import { DocumentFormat } from '../contract.ts'
import { EXPORT_FAULTS, MOST_DOCUMENTS, MOST_NAMED } from './limits.ts'

export { EXPORT_FAULTS } from './limits.ts'

export const ExportFault = z.enum(EXPORT_FAULTS)
export type ExportFault = z.infer<typeof ExportFault>

const MissingDocument = z.strictObject({
  id: z.string(),
  number: z.string().nullable().meta({ description: 'Null of a draft.' }),
  why: ExportFault,
})

export const DocumentExport = z
  .strictObject({
    id: z.string(),
    state: z.enum(['waiting', 'preparing', 'ready']).meta({
      description:
        'Waiting for another export of the book, making what is missing, or ready to be downloaded.',
    }),
    format: DocumentFormat,
    total: z.int().meta({ description: 'Invoices asked for.' }),
    done: z.int().meta({ description: 'Of them looked at so far, those without a document included.' }),
    failedCount: z.int().meta({ description: 'Invoices that go without a document.' }),
    failed: z.array(MissingDocument).meta({
      description: `The first ${MOST_NAMED} of them; faltan.csv in the archive names all.`,
    }),
    createdAt: Instant,
  })
  .meta({ id: 'DocumentExport' })
export type DocumentExport = z.infer<typeof DocumentExport>

export const createExportContract = defineContract({
  name: 'exports.create',
  summary: 'Prepare the documents of many issued invoices as one ZIP file.',
  description: `Takes either \`ids\` or a \`filter\` as the list of invoices does, of which issued invoices alone are meant, ${MOST_DOCUMENTS.toLocaleString('en')} of them at most. What was never drawn is drawn, signed and kept in the background, one document after another; ask for the export until its state is ready, then for its file. Exports are forgotten half an hour after they were last asked for, and when Sello closes; what was made by then is kept. A key sees its own exports only.`,
  access: 'invoices.read',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/exports', status: 201 },
  input: z.strictObject({
    ids: z.array(PathId).min(1).max(1000).optional().meta({ description: 'Invoices by id or number.' }),
    filter: z
      .strictObject({
        ...InvoiceFilter.shape,
        view: z
          .enum(['all', 'drafts', 'owed', 'overdue', 'trouble', 'unsigned', 'history'])
          .optional()
          .meta({ description: 'A saved view on top of the filter.' }),
      })
      .optional()
      .meta({ description: 'In place of ids; an empty one means every issued invoice.' }),
    format: DocumentFormat.optional().meta({ description: 'pdf when not said.' }),
    language: z
      .enum(DOCUMENT_LANGUAGES)
      .optional()
      .meta({ description: "Of PDFs; each invoice's own by default." }),
  }),
  output: DocumentExport,
  errors: ['not_found', 'invoice_number_ambiguous', 'export_too_many', 'exports_busy'],
})

export const getExportContract = defineContract({
  name: 'exports.get',
  summary: 'How far an export is, and what goes without a document.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exports/:id' },
  input: z.strictObject({ id: PathId }),
  output: DocumentExport,
  errors: ['not_found'],
})

export const exportFileContract = defineContract({
  name: 'exports.file',
  summary: 'The archive of an export that is ready.',
  description:
    'A ZIP that is made while it is sent: the documents, `indice.csv` with the SHA-256 of each, and `faltan.csv` when some could not be made.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/exports/:id/file' },
  input: z.strictObject({ id: PathId }),
  output: StreamAnswer,
  media: 'application/zip',
  errors: ['not_found', 'export_not_ready'],
})

export const cancelExportContract = defineContract({
  name: 'exports.cancel',
  summary: 'Stop an export at its next document and forget it. What was made is kept.',
  access: 'invoices.read',
  effect: 'write',
  rest: { method: 'DELETE', path: '/exports/:id' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found'],
})
