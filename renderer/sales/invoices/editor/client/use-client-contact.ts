/**
 * Synchronizes the customer's data of a document with its contact: automatically for a contact created here, on
 * request otherwise.
 */
import { useDebounceFn } from '@vueuse/core'
import { computed, ref, shallowRef, watch } from 'vue'
import { asCallError, call } from '../../../../call.ts'
import type { CallError } from '../../../../call.ts'
import { contactChanges, newContactInput } from './client-contact.ts'
import type { ClientForm, Contact } from '../draft.ts'

const SAVE_AFTER_MS = 700

/** Contacts created while writing a document in this window: data typed for them are saved to them. */
const madeHere = new Set<string>()

interface ClientContactOptions {
  client: () => ClientForm
  bookId: () => string
  /** Returns whether the contact's data are shown. */
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

  /** Stores the contact that was chosen or created. */
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
        // Without the contact nothing can be compared; the document keeps its data.
      }
    },
    { immediate: true },
  )

  /** Runs `task`, one at a time, and stores its error. */
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

  /** Saves the differences to the contact. */
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
    // The user typed something meanwhile.
    if (isNew.value && changes.value && !refusal.value) saveSoon()
  }
  const saveSoon = useDebounceFn(() => save(), SAVE_AFTER_MS)
  watch(changes, (now) => {
    if (!now) return
    isSaved.value = false
    refusal.value = null
    if (isNew.value) void saveSoon()
  })

  /** Creates a contact from `from`; throws the server's error. */
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
