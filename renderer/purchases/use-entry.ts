/** Actions of the page of a received invoice: reads a file, saves, and attaches the document. */
import { computed, ref, shallowRef } from 'vue'
import { asCallError, call, callBytes } from '../call.ts'
import type { CallError } from '../call.ts'
import { latestCall } from '../composables/latest-call.ts'
import { useStateThroughLock } from '../app/app-lock/preserved-state.ts'
import type { OutputOf } from '../../server/api/contracts.ts'
import { useReceivedForm } from './form/use-received-form.ts'
import { formOfCopy, formOfProposal, formOfReceived, receivedInput } from './form.ts'
import type { Received, ReceivedInput } from './form.ts'
import { formOfInput } from './form-of-input.ts'
import { base64Of } from './incoming.ts'
import { useLastChange } from '../components/merge/changes.ts'
import { mergeForms } from '../components/merge/three-way.ts'
import { useMerge } from '../components/merge/use-merge.ts'
import { emptyForm } from './form.ts'
import type { ReceivedForm } from './form.ts'

export function useEntry(today: () => string) {
  const entry = shallowRef<Received | null>(null)
  const state = useReceivedForm({ today, entryId: () => entry.value?.id })
  const { form, proposal, readFaults, refusal, forced, fill } = state
  const file = shallowRef<File | null>(null)
  /** True if the file was read but is not saved yet. */
  const isFileNew = ref(false)
  const error = shallowRef<CallError | null>(null)
  const reading = ref(false)
  const busy = ref(false)

  const dirty = computed(() => state.isTouched.value || isFileNew.value)

  /** Restores the unsaved form and its document after Sello was locked. */
  const restoreWork = useStateThroughLock(
    'received',
    () =>
      dirty.value
        ? {
            form: { ...form },
            file: isFileNew.value ? file.value : null,
            proposal: proposal.value,
            readFaults: readFaults.value,
          }
        : null,
    (work) => {
      Object.assign(form, work.form)
      if (!work.file) return
      file.value = work.file
      isFileNew.value = true
      proposal.value = work.proposal
      readFaults.value = work.readFaults
    },
  )

  // ---- Changes of somebody else. ----

  const FIELDS = (Object.keys(emptyForm(today())) as (keyof ReceivedForm & string)[]).filter(
    (field) => field !== 'lines',
  )
  /** The form when it was last what the server holds. */
  let savedForm: ReceivedForm | null = null
  const copy = (of: ReceivedForm): ReceivedForm => JSON.parse(JSON.stringify(of)) as ReceivedForm
  const merge = useMerge<ReceivedForm, Received>({
    failed: (thrown) => (error.value = asCallError(thrown)),
    before: () => savedForm,
    mine: () => form,
    read: () => call('received.get', { id: entry.value?.id ?? '' }),
    formOf: formOfReceived,
    merge: (versions) => mergeForms(versions, { fields: FIELDS, rows: ['lines'] }),
    apply(merged, saved, theirForm) {
      entry.value = saved
      Object.assign(form, copy(merged))
      savedForm = copy(theirForm)
    },
    change: useLastChange('received.changed', (event) => event.data.receivedId === entry.value?.id),
    async saveTyped() {
      const saved = dirty.value ? await save() : null
      if (saved) await show(saved)
    },
  })

  const beginShowing = latestCall()
  const beginRefresh = latestCall()
  /** Begins to show other content: answers to older requests are dropped. */
  function beginContent(): () => boolean {
    beginRefresh()
    return beginShowing()
  }

  /** Empties the form; returns a function that says whether no other content is requested since. */
  function clear(): () => boolean {
    const isLatest = beginContent()
    entry.value = null
    file.value = null
    isFileNew.value = false
    error.value = null
    state.clear()
    savedForm = null
    merge.begin()
    return isLatest
  }

  async function showFirstFile(found: Received, isLatest: () => boolean): Promise<void> {
    const [first] = found.attachments
    if (!first) {
      file.value = null
      return
    }
    const bytes = await callBytes('attachments.download', { id: first.id })
    if (!isLatest()) return
    // The name in the header is plain ASCII: the entry has the original one.
    file.value = new File([bytes], first.name, { type: first.mediaType })
  }

  async function show(found: Received, isLatest = beginContent()): Promise<void> {
    entry.value = found
    isFileNew.value = false
    fill(formOfReceived(found))
    savedForm = copy(form)
    merge.reset()
    await showFirstFile(found, isLatest)
  }

  async function load(id: string): Promise<void> {
    const isLatest = clear()
    try {
      const found = await call('received.get', { id })
      if (!isLatest()) return
      await show(found, isLatest)
      if (isLatest()) restoreWork()
    } catch (thrown) {
      if (isLatest()) error.value = asCallError(thrown)
    }
  }

  /** Reloads what is derived from the entry, such as its payments; typed values stay. */
  async function refresh(): Promise<void> {
    if (!entry.value) return
    const isLatest = beginRefresh()
    const found = await call('received.get', { id: entry.value.id })
    if (!isLatest() || !entry.value) return
    // The version stays that of the typed values, so that saving them meets what somebody else has changed.
    entry.value = state.isTouched.value ? { ...found, version: entry.value.version } : found
    if (!state.isTouched.value) {
      fill(formOfReceived(found))
      savedForm = copy(form)
    }
  }

  /** Opens a copy of an entry as a new one. */
  async function copyOf(id: string): Promise<void> {
    const isLatest = clear()
    try {
      const found = await call('received.get', { id })
      if (isLatest()) Object.assign(form, formOfCopy(found, today()))
    } catch (thrown) {
      if (isLatest()) error.value = asCallError(thrown)
    }
  }

  /** Opens an entry that was proposed elsewhere, for review; it is not saved yet. */
  function propose(input: ReceivedInput): void {
    Object.assign(form, formOfInput(input, today()))
  }

  /** Reads a file into an empty form; a file for an existing entry is only attached. */
  async function take(taken: File): Promise<void> {
    refusal.value = null
    const target = entry.value?.id
    if (target !== undefined) {
      busy.value = true
      try {
        const { id: attachmentId } = await upload(taken)
        const found = await call('received.attach', { id: target, attachmentId })
        // Otherwise another entry was opened meanwhile.
        if (entry.value?.id === target) await show(found)
      } catch (thrown) {
        refusal.value = asCallError(thrown)
      } finally {
        busy.value = false
      }
      return
    }
    file.value = taken
    isFileNew.value = true
    reading.value = true
    proposal.value = null
    try {
      const read = await call('received.read', { name: taken.name, content: await base64Of(taken) })
      // The answer of a call that does not wait.
      if (file.value !== taken || !('proposal' in read)) return
      proposal.value = read.proposal
      readFaults.value = read.warnings
      // No file says what another program calls the entry.
      const { externalRef } = form
      state.fillRead({ ...formOfProposal(read.proposal, form.receptionDate ?? today()), externalRef })
      file.value = new File([taken], taken.name, { type: read.mediaType })
    } catch (thrown) {
      if (file.value !== taken) return
      refusal.value = asCallError(thrown)
      // A file that cannot be stored is not shown as if it were attached.
      if (refusal.value.code !== 'file_unreadable') {
        file.value = null
        isFileNew.value = false
      }
    } finally {
      reading.value = false
    }
  }

  async function upload(kept: File): Promise<OutputOf<'attachments.upload'>> {
    return call('attachments.upload', { name: kept.name, content: await base64Of(kept) })
  }

  /** Saves; returns the saved entry, or null if it was refused. */
  async function save(): Promise<Received | null> {
    if (busy.value) return null
    busy.value = true
    refusal.value = null
    try {
      await state.keepSupplier()
      const attachments = isFileNew.value && file.value ? [(await upload(file.value)).id] : []
      const answer = await merge.save(() => {
        const input = {
          ...receivedInput(form),
          attachments,
          ...(forced.value ? { allowDuplicate: true } : {}),
        }
        return entry.value
          ? call('received.update', { ...input, id: entry.value.id, expectedVersion: entry.value.version })
          : call('received.create', input)
      })
      if (!answer) return null
      const { warnings: _warnings, ...saved } = answer
      return saved
    } catch (thrown) {
      refusal.value = asCallError(thrown)
      return null
    } finally {
      busy.value = false
    }
  }

  return {
    ...state,
    state,
    entry,
    file,
    error,
    reading,
    busy,
    dirty,
    clear,
    restoreWork,
    load,
    refresh,
    copyOf,
    propose,
    show,
    take,
    save,
    merge,
  }
}
