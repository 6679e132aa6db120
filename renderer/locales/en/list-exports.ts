/** Texts of lists saved as a file, and of bulk actions on received invoices. */
import type { listExports as spanish } from '../es/list-exports.ts'

export const listExports: typeof spanish = {
  downloads: {
    label: 'Files on their way',
    csv: 'Export CSV',
    documents: 'Received documents',
    preparing: 'Preparing: {what}…',
    underWay: 'Downloading: {what} · {size} MB',
    failed: '{what}: it could not be downloaded.',
  },
  receivedBulk: {
    pay: 'Mark as paid | Mark 1 as paid | Mark {count} as paid',
    payTitle: 'Mark as paid? | Mark 1 invoice as paid? | Mark {count} invoices as paid?',
    payText: 'Each is paid in full. {total} in all.',
    date: 'Day of payment',
    method: 'Payment method',
    files: 'Documents | 1 with document | {count} with document',
    void: 'Void | Void 1 | Void {count}',
    voidTitle: 'Void invoices? | Void 1 received invoice? | Void {count} received invoices?',
    voidText:
      'They leave the books and the taxes. Their numbers are not used again, and their documents are kept.',
  },
  receivedFiles: {
    title: 'Delete {name}?',
    text: 'It is the proof of this expense: the tax agency may ask for it for 4 years and the Commercial Code has it kept for 6. Delete it only if it is not the document of this invoice. In a closed period it is always kept.',
    remove: 'Delete the file',
    kept: 'The documents of a void invoice are kept: the law says so.',
  },
}
