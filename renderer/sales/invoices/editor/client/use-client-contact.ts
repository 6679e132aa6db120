/** Keeps a customer's data of a document and its contact together: by itself for a contact made here, on request otherwise. */
import { useDebounceFn } from '@vueuse/core'
import { computed, ref, shallowRef, watch } from 'vue'
import { asCallError, call } from '../../../../call.ts'
import type { CallError } from '../../../../call.ts'
import { contactChanges, newContactInput } from './client-contact.ts'
import type { ClientForm, Contact } from '../draft.ts'

const SAVE_AFTER_MS = 700

/** Contacts that were made while writing a document in this window: what is typed of them is theirs. */
const madeHere = new Set<string>()

interface ClientContactOptions {
  client: () => ClientForm
  bookId: () => string
  /** The contact's data are on show. */
  isOpen: () => boolean
}

export function useClientContact({ client, bookId, isOpen }: ClientContactOptions) {
  const contact = shallowRef<Contact | null>(null)
  const refusal = shallowRef<CallError | null>(null)
  const busy = ref(false)
  const isSaved = ref(false)

  const known = computed(() => (contact.value?.id === client().id ? contact.value : null))
  const changes = computed(() => known.value && contactChanges(client(), known.value))
  const isNew = computed(() => known.value !== null && madeHere.has(known.value.id))

  /** Remembers the contact that was chosen or made. */
  function adopt(chosen: Contact, isMadeHere: boolean): void {
    if (isMadeHere) madeHere.add(chosen.id)
    else madeHere.delete(chosen.id)
    contact.value = chosen
    refusal.value = null
    isSaved.value = false
  }

  watch(
    () => [client().id, isOpen()] as const,
    async ([id, open]) => {
      if (!open || id === null || contact.value?.id === id) return
      try {
        const found = await call('contacts.get', { id }, { bookId: bookId() })
        if (client().id === id) contact.value = found
      } catch {
        // Without the contact there is nothing to compare with; the document keeps its data.
      }
    },
    { immediate: true },
  )

  /** Runs `task` once at a time and keeps its refusal. */
  async function run(task: () => Promise<void>): Promise<void> {
    if (busy.value) return
    busy.value = true
    refusal.value = null
    try {
      await task()
    } catch (thrown) {
      refusal.value = asCallError(thrown)
    } finally {
      busy.value = false
    }
  }

  /** Writes what differs to the contact. */
  async function save(): Promise<void> {
    const target = known.value
    const changed = changes.value
    if (!target || !changed || busy.value) return
    await run(async () => {
      const { warnings: _warnings, ...saved } = await call(
        'contacts.update',
        { id: target.id, ...changed, expectedVersion: target.version },
        { bookId: bookId() },
      )
      contact.value = saved
      isSaved.value = true
    })
    if (refusal.value?.code === 'version_conflict')
      contact.value = await call('contacts.get', { id: target.id }, { bookId: bookId() }).catch(() => target)
    // Something was typed meanwhile.
    if (isNew.value && changes.value && !refusal.value) saveSoon()
  }
  const saveSoon = useDebounceFn(() => save(), SAVE_AFTER_MS)
  watch(changes, (now) => {
    if (!now) return
    isSaved.value = false
    refusal.value = null
    if (isNew.value) void saveSoon()
  })

  /** Makes a contact of `from`; throws what the server refused. */
  async function create(from: ClientForm): Promise<Contact> {
    const { warnings: _warnings, ...made } = await call('contacts.create', newContactInput(from), {
      bookId: bookId(),
    })
    adopt(made, true)
    isSaved.value = true
    return made
  }

  return { changes, isNew, isSaved, busy, refusal, adopt, save, create, run }
}
