/** Bulk actions on invoices, with undo where it is possible. */
import { call, CallError } from '../../../call.ts'
import type { BulkRow } from '../../../components/bulk-actions/bulk.ts'
import type { ShownGrid } from '../../../components/bulk-actions/optimistic.ts'
import { useBulk } from '../../../components/bulk-actions/use-bulk.ts'
import { useUndoDelete } from '../../../components/bulk-actions/use-undo-delete.ts'
import { formatCount, todayHere } from '../../../format.ts'
import { translate } from '../../../i18n.ts'
import { useSessionStore } from '../../../stores/session.ts'
import { useToasts } from '../../../stores/toasts.ts'
import type { Invoice } from '../editor/draft.ts'
import { duplicateInput } from './restore-draft.ts'
import { fetchPdf, saveFile } from '../read/save-pdf.ts'

interface ListedInvoice {
  id: string
  number: string | null
  clientName: string
  state: string
}

export function useManyInvoices() {
  const session = useSessionStore()
  const toasts = useToasts()
  const bulk = useBulk()
  const undoDelete = useUndoDelete()

  const rowsOf = (invoices: readonly ListedInvoice[]): BulkRow[] =>
    invoices.map(({ id, number, clientName, state }) => ({
      id,
      name: [number ?? translate('invoiceList.draft'), clientName].filter(Boolean).join(' · '),
      to: state === 'draft' ? `/invoices/${id}/edit` : `/invoices/${id}`,
    }))

  const download = (invoices: readonly ListedInvoice[]) =>
    bulk.start({
      kind: 'download',
      rows: rowsOf(invoices),
      perform: async ({ id }, bookId) => saveFile(await fetchPdf('invoices.pdf', { id }, { bookId })),
    })

  const remove = (invoices: readonly ListedInvoice[], grid: Pick<ShownGrid, 'leave'> | null) =>
    undoDelete.deleteMany({
      kind: 'remove',
      rows: rowsOf(invoices),
      grid,
      perform: ({ id }, bookId) => call('invoices.delete', { id }, { bookId }).then(() => null),
      restored: (count) => translate('invoiceList.bulk.restored', { count: formatCount(count) }, count),
    })

  function duplicate(invoices: readonly ListedInvoice[]): void {
    const today = session.company?.today ?? todayHere()
    const made = new Map<string, Invoice>()
    bulk.start({
      kind: 'duplicate',
      rows: rowsOf(invoices),
      perform: async ({ id }, bookId) => {
        const invoice = await call('invoices.get', { id }, { bookId })
        made.set(id, await call('invoices.create', duplicateInput(invoice, today), { bookId }))
      },
      undo: async (done, bookId) => {
        let changed = 0
        for (const { id } of done) {
          const copy = made.get(id)
          if (!copy) continue
          try {
            await call('invoices.delete', { id: copy.id, expectedVersion: copy.version }, { bookId })
          } catch (thrown) {
            // Edited since: it is no longer a mere copy, and stays.
            if (!(thrown instanceof CallError) || thrown.code === 'offline') throw thrown
            changed++
          }
        }
        toasts.done(
          translate('bulk.copiesGone', { count: formatCount(done.length - changed) }, done.length - changed),
          {
            ...(changed > 0
              ? { description: translate('bulk.copiesKept', { count: formatCount(changed) }, changed) }
              : {}),
          },
        )
      },
    })
  }

  /** Signs the invoices. A signature is appended and stays; signing a signed document changes nothing. */
  const sign = (invoices: readonly ListedInvoice[], settled = () => {}) =>
    bulk.start({
      kind: 'sign',
      settled,
      rows: rowsOf(invoices),
      perform: ({ id }, bookId) => call('invoices.sign', { id }, { bookId }),
    })

  return { download, remove, duplicate, sign }
}
