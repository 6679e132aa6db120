/**
 * State of a document content while it is edited: its form, its totals, and its faults. For quotes and recurring
 * invoices.
 */
import { computed, reactive, ref, shallowRef } from 'vue'
import { call, CallError } from '../../call.ts'
import { contentKey, emptyForm, totalsOf, withContact } from '../invoices/editor/draft.ts'
import type { ClientForm, Contact, DraftForm, LineForm } from '../invoices/editor/draft.ts'
import { localFaults, serverFaults } from '../invoices/editor/faults.ts'
import type { DraftFault, ServerFault } from '../invoices/editor/faults.ts'
import { useSessionStore } from '../../stores/session.ts'
import { todayHere } from '../../format.ts'
import { formOfContent } from './content.ts'
import type { AnyContent } from './content.ts'

/** `needsClient` is false for a template, which has no customer until it is used. */
export function useContent({ needsClient = true } = {}) {
  const faultsOf = () => localFaults(form).filter(({ code }) => needsClient || code !== 'client_missing')
  const session = useSessionStore()
  const company = computed(() => session.company)
  const today = computed(() => company.value?.today ?? todayHere())
  const bookId = session.activeBook?.id ?? ''
  const usualDays = computed(() => company.value?.defaults.paymentDays ?? 30)

  const form = reactive<DraftForm>(
    emptyForm({
      today: today.value,
      paymentDays: usualDays.value,
      withholdingPct: company.value?.defaults.withholdingPct ?? null,
      language: company.value?.defaults.language ?? 'es',
    }),
  )
  const totals = computed(() => totalsOf(form))
  const found = shallowRef<readonly DraftFault[]>([])
  const checked = ref(false)
  /** All faults once saving was tried; before that only unreadable values. */
  const faults = computed(() => {
    const local = faultsOf()
    return checked.value ? [...local, ...found.value] : local.filter(({ code }) => code.endsWith('_unread'))
  })

  const kept = ref(contentKey(form))
  const isDirty = computed(() => contentKey(form) !== kept.value)

  function change(changes: Partial<DraftForm>): void {
    Object.assign(form, changes)
  }
  function changeClient(changes: Partial<ClientForm>): void {
    Object.assign(form.client, changes)
  }
  function chooseContact(contact: Contact): void {
    change(withContact(form, contact, today.value, usualDays.value))
  }
  function changeLine(key: number, changes: Partial<LineForm>): void {
    const line = form.lines.find((each) => each.key === key)
    if (line) Object.assign(line, changes)
  }

  /** Loads a saved content, with the defaults of its contact. */
  async function adopt(content: AnyContent, day: string): Promise<void> {
    const contact = content.clientId
      ? await call('contacts.get', { id: content.clientId }, { bookId }).catch(() => null)
      : null
    change(formOfContent(content, day, contact))
    keep()
  }
  /** Marks the content of the page as saved. */
  function keep(): void {
    kept.value = contentKey(form)
  }

  /** Returns true if nothing on the page prevents saving. */
  function check(): boolean {
    checked.value = true
    found.value = []
    return faultsOf().every(({ severity }) => severity !== 'error')
  }
  /**
   * Assigns the faults of an error to their fields; returns false if it concerns something else. `below` is the path
   * of the content.
   */
  function refuse(error: unknown, below = ''): boolean {
    if (!(error instanceof CallError) || error.code !== 'validation_failed') return false
    const own = (error.faults as readonly ServerFault[]).map((fault) => ({
      ...fault,
      field: below && fault.field.startsWith(`${below}.`) ? fault.field.slice(below.length + 1) : fault.field,
    }))
    found.value = serverFaults(own, form, localFaults(form))
    return found.value.length > 0
  }

  return {
    form,
    totals,
    faults,
    today,
    bookId,
    company,
    isDirty,
    change,
    changeClient,
    chooseContact,
    changeLine,
    adopt,
    keep,
    check,
    refuse,
  }
}

export type Content = ReturnType<typeof useContent>
