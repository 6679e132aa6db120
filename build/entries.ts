/** Entry points of the bundles that the build and the tests have in common. */
import { resolve } from 'node:path'

/** Returns the sources of the threads and processes that the program starts, by the names of their bundles. */
export function workerEntries(root: string): Record<string, string> {
  const workers = {
    'document-worker': 'server/documents/rendering/worker.ts',
    'certificate-worker': 'server/company/certificates/worker.ts',
    'read-worker': 'server/purchases/intake/worker.ts',
    'ocr-worker': 'server/purchases/intake/ocr/worker.ts',
    'book-worker': 'server/accounting/returns/books/worker.ts',
    'erp-worker': 'server/integrations/erp/connection/worker.ts',
    'backup-worker': 'server/app/backups/make/worker.ts',
    'check-worker': 'server/app/integrity/worker.ts',
    'table-worker': 'server/app/imports/worker.ts',
    'archive-worker': 'server/app/leaving/read/worker.ts',
    'history-worker': 'server/app/moving-in/files/worker.ts',
    'bank-worker': 'server/accounting/bank/formats/worker.ts',
    'return-worker': 'server/accounting/returns/files/worker.ts',
    'opening-worker': 'server/accounting/ledger/years/worker.ts',
    'logo-worker': 'server/company/design/worker.ts',
    'office-copy-worker': 'server/app/office/hand-back/worker.ts',
    'directory-worker': 'server/integrations/portal/directory/worker.ts',
    'exchange-worker': 'server/documents/e-invoice/reading/worker.ts',
    'mail-worker': 'server/purchases/intake/mail/worker.ts',
  }
  return Object.fromEntries(Object.entries(workers).map(([name, file]) => [name, resolve(root, file)]))
}
