/** Actions on a whole invoice: its PDF, a copy, and deleting a draft with undo. */
import { useRouter } from 'vue-router'
import { call } from '../../../call.ts'
import { translate } from '../../../i18n.ts'
import { useUndoDelete } from '../../../components/bulk-actions/use-undo-delete.ts'
import { useSessionStore } from '../../../stores/session.ts'
import { useToasts } from '../../../stores/toasts.ts'
import { todayHere } from '../../../format.ts'
import type { Invoice } from '../editor/draft.ts'
import { duplicateInput } from './restore-draft.ts'
import { useSwitchBook } from '../../../app/shell/books/switch-book.ts'
import { savePdf } from '../read/save-pdf.ts'

export function useInvoiceActions() {
  const router = useRouter()
  const session = useSessionStore()
  const toasts = useToasts()
  const undoDelete = useUndoDelete()
  const switchBook = useSwitchBook()

  async function pdf(id: string): Promise<void> {
    try {
      await savePdf(id)
    } catch (thrown) {
      toasts.failed(thrown, () => void pdf(id))
    }
  }

  /** Creates a draft with the same content and opens it in the editor. */
  async function duplicate(invoice: Invoice): Promise<void> {
    try {
      const copy = await call(
        'invoices.create',
        duplicateInput(invoice, session.company?.today ?? todayHere()),
      )
      await router.push(`/invoices/${copy.id}/edit`)
      toasts.done(translate('invoice.duplicated', { from: invoice.number ?? invoice.clientName }), {
        id: 'draft',
      })
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  /** Returns whether a draft of the live book can be made from a test invoice: only if it names no other invoice. */
  const canMakeReal = (invoice: Pick<Invoice, 'kind'>): boolean =>
    session.isTest && session.twinBook !== null && (invoice.kind === 'F1' || invoice.kind === 'F2')

  /**
   * Creates a draft of the live book with the content of a test invoice and opens it in the editor. It issues
   * nothing.
   */
  async function makeReal(id: string): Promise<void> {
    const live = session.twinBook
    if (!live || !(await switchBook(live.id))) return
    try {
      const { drafts } = await call(
        'goingLive.carry',
        { contacts: false, items: false, invoices: [id] },
        { bookId: live.id },
      )
      const [draft] = drafts
      if (draft) await router.push(`/invoices/${draft.id}/edit`)
      toasts.done(translate('invoice.madeReal'), { id: 'draft' })
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  /** Deletes a draft and opens the list; the notice offers to undo it. */
  async function removeDraft(id: string): Promise<void> {
    try {
      const bookId = session.activeBook?.id
      const draft = await call('invoices.get', { id })
      await call('invoices.delete', { id, expectedVersion: draft.version })
      await router.push('/invoices')
      undoDelete.offerUndo({
        id,
        name: draft.clientName,
        bookId,
        said: translate('invoice.deleted', { client: draft.clientName }),
        notice: 'draft',
        then: () => router.push(`/invoices/${id}/edit`),
      })
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  return { pdf, duplicate, canMakeReal, makeReal, removeDraft }
}
