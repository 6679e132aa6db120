/**
 * State of one draft: its form, automatic saving, undo history, and what protects it when the page is left.
 * Independent of the presentation.
 */
import { computed, onScopeDispose, reactive, ref, shallowRef, watch } from 'vue'
import { asCallError, call } from '../../../call.ts'
import type { CallError } from '../../../call.ts'
import { onEvent } from '../../../events.ts'
import type { WindowEvent } from '../../../events.ts'
import { onWriteRecovered } from '../../../stores/health.ts'
import { usePersonStore } from '../../../stores/person.ts'
import type { BusinessDate } from '../../../../server/domain/dates.ts'
import {
  contentKey,
  copyForm,
  draftInput,
  emptyForm,
  formOfDraft,
  heldLines,
  isBlank,
  isRateMissing,
} from './draft.ts'
import { mergeDrafts } from './conflict/merge-draft.ts'
import { useLastChange } from '../../../components/merge/changes.ts'
import type { MergedChanges, SharedForm } from '../../../components/merge/use-merge.ts'
import type { Side } from '../../../components/merge/three-way.ts'
import type { Contact, DraftForm, DraftInput, Invoice, NewDraft } from './draft.ts'

const SAVE_AFTER_MS = 800
const RETRY_SECONDS = [5, 10, 20, 30] as const
const MAX_HISTORY = 100
/** Our own save comes back as an event, which is no change by somebody else. */
const OWN_ECHO_MS = 1500

export type SaveState =
  /** Too little to save yet. */
  | { kind: 'blank' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: number }
  | { kind: 'retry'; at: number; error: CallError }
  /** The server rejects the content; the next change tries again. */
  | { kind: 'refused'; error: CallError }
  /** Somebody else changed the same: a person chooses. */
  | { kind: 'conflict'; theirs: Invoice; theirForm: DraftForm }
  /** Somebody else goes on with the draft: what is typed here waits. */
  | { kind: 'paused'; by: string }

interface SavedDraft {
  form: DraftForm
  version: number
  savedWire: string | null
  saved: Invoice | null
  savedForm: DraftForm | null
}

/** Returns a copy in which the lines are the same ones. */
const plainCopy = (form: DraftForm): DraftForm => JSON.parse(JSON.stringify(form)) as DraftForm

/**
 * Drafts left with unsaved changes, for the lifetime of the window: customers' data are not written to the browser's
 * storage.
 */
const leftBehind = new Map<string, SavedDraft>()

interface DraftOptions {
  bookId: string
  today: () => BusinessDate
  defaults: () => NewDraft
  /** Name of the customer of a simplified invoice that has none. */
  walkIn: () => string
  /** The draft received its identifier. */
  created: (id: string) => void
  /** The draft was issued, here or elsewhere: it is no longer a draft. */
  issued: (id: string) => void
}

export function useDraft(options: DraftOptions) {
  const person = usePersonStore()
  const form = reactive<DraftForm>(emptyForm(options.defaults()))
  const id = ref<string | null>(null)
  const version = ref(0)
  /** The saved draft as the server holds it, with what the server derives, such as its legal mentions. */
  const kept = shallowRef<Invoice | null>(null)
  const state = shallowRef<SaveState>({ kind: 'blank' })
  const loading = ref(false)
  const loadError = shallowRef<CallError | null>(null)
  const restored = ref(false)
  const merged = shallowRef<MergedChanges | null>(null)

  let savedWire: string | null = null
  /** The form of the page when it was last what the server holds; the ancestor of two changes. */
  let savedForm: DraftForm | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let failures = 0
  let lastSaveAt = 0
  let closed = false

  const wire = computed(() => {
    const input = draftInput(form, options.walkIn())
    return input === null ? null : JSON.stringify(input)
  })
  const memoryKey = () => `${options.bookId} ${id.value ?? 'new'}`

  /** Returns whether the page has content that the server does not hold. */
  function hasUnsaved(): boolean {
    if (loadError.value) return false
    if (wire.value === null)
      return id.value !== null || form.client.name.trim() !== '' || form.lines.some((line) => !isBlank(line))
    return wire.value !== savedWire || heldLines(form).length > 0 || isRateMissing(form)
  }

  // ---- Undo history of saved states. ----

  let past: { key: string; form: DraftForm }[] = []
  const at = ref(-1)

  function remember(): void {
    const key = contentKey(form)
    if (past[at.value]?.key === key) return
    past = [...past.slice(0, at.value + 1), { key, form: copyForm(form) }].slice(-MAX_HISTORY)
    at.value = past.length - 1
  }

  function step(by: -1 | 1): boolean {
    if (by === -1) remember()
    const there = past[at.value + by]
    if (!there) return false
    at.value += by
    Object.assign(form, copyForm(there.form))
    return true
  }

  function replaceForm(next: DraftForm): void {
    Object.assign(form, next)
  }

  // ---- Saving. ----

  function schedule(waitMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), waitMs)
  }

  watch(wire, (next) => {
    if (state.value.kind === 'conflict' || state.value.kind === 'paused' || loading.value) return
    failures = 0
    if (next === null) {
      clearTimeout(timer)
      if (id.value === null) state.value = { kind: 'blank' }
      else state.value = { kind: 'waiting' }
    } else if (next === savedWire) {
      clearTimeout(timer)
      if (!running) state.value = { kind: 'saved', at: lastSaveAt || Date.now() }
    } else {
      if (!running) state.value = { kind: 'waiting' }
      schedule(SAVE_AFTER_MS)
    }
  })

  async function write(sent: string): Promise<void> {
    const input = JSON.parse(sent) as DraftInput
    const book = { bookId: options.bookId }
    const sentForm = plainCopy(form)
    state.value = { kind: 'saving' }
    try {
      const isNew = id.value === null
      const saved =
        id.value === null
          ? await call('invoices.create', input, book)
          : await call('invoices.update', { id: id.value, ...input, expectedVersion: version.value }, book)
      lastSaveAt = Date.now()
      failures = 0
      id.value = saved.id
      version.value = saved.version
      kept.value = saved
      savedWire = sent
      savedForm = sentForm
      state.value = wire.value === sent ? { kind: 'saved', at: lastSaveAt } : { kind: 'waiting' }
      remember()
      if (isNew && !closed) options.created(saved.id)
    } catch (thrown) {
      await saveFailed(asCallError(thrown))
    }
  }

  async function saveFailed(error: CallError): Promise<void> {
    if (error.code === 'version_conflict' && id.value) {
      try {
        return await meet(await call('invoices.get', { id: id.value }, { bookId: options.bookId }))
      } catch (thrown) {
        return saveFailed(asCallError(thrown))
      }
    }
    if (error.code === 'not_found' && id.value) {
      // Deleted elsewhere while it is edited here: the content of the page is saved as a new draft.
      id.value = null
      kept.value = null
      savedWire = null
      savedForm = null
      return schedule(0)
    }
    if (error.code === 'invoice_not_draft' && id.value) {
      leftBehind.delete(memoryKey())
      return options.issued(id.value)
    }
    if (error.code === 'validation_failed' || error.code === 'series_wrong_kind') {
      state.value = { kind: 'refused', error }
      return
    }
    const seconds = RETRY_SECONDS[Math.min(failures++, RETRY_SECONDS.length - 1)] ?? 30
    state.value = { kind: 'retry', at: Date.now() + seconds * 1000, error }
    if (!closed) schedule(seconds * 1000)
  }

  /** Saves the current content of the page. Returns true when the server holds all of it that it can save. */
  async function save(): Promise<boolean> {
    clearTimeout(timer)
    while (running) await running
    if (state.value.kind === 'conflict' || state.value.kind === 'paused') return false
    for (let tries = 0; tries < 3 && wire.value !== null && wire.value !== savedWire; tries++) {
      running = write(wire.value)
      try {
        await running
      } finally {
        running = null
      }
      if (state.value.kind !== 'waiting' && state.value.kind !== 'saved') return false
    }
    return wire.value !== null && wire.value === savedWire
  }

  // ---- Concurrent changes. ----

  async function contactOf(invoice: Invoice): Promise<Contact | null> {
    if (!invoice.clientId) return null
    // Without the contact the draft can still be edited; only its default surcharge is unknown.
    return call('contacts.get', { id: invoice.clientId }, { bookId: options.bookId }).catch(() => null)
  }

  async function adopt(invoice: Invoice): Promise<void> {
    const next = formOfDraft(invoice, options.today(), await contactOf(invoice))
    replaceForm(next)
    id.value = invoice.id
    kept.value = invoice
    version.value = invoice.version
    savedWire = wire.value
    savedForm = plainCopy(form)
    lastSaveAt = Date.now()
    if (state.value.kind !== 'paused') state.value = { kind: 'saved', at: lastSaveAt }
    remember()
  }

  function mergeWith(theirs: DraftForm) {
    const { value: saved } = kept
    const theirsBefore = saved ? formOfDraft(saved, options.today(), null) : theirs
    return mergeDrafts({ before: savedForm ?? theirsBefore, theirsBefore, mine: form, theirs })
  }

  /** The two changes of a conflict; null without one. */
  const conflict = computed(() => (state.value.kind === 'conflict' ? mergeWith(state.value.theirForm) : null))

  /** Puts the merged form on the page, on top of the version that the server holds. */
  function goOnWith(theirs: Invoice, theirForm: DraftForm, next: DraftForm): void {
    remember()
    replaceForm(next)
    kept.value = theirs
    version.value = theirs.version
    const input = draftInput(theirForm, options.walkIn())
    savedWire = input === null ? null : JSON.stringify(input)
    savedForm = plainCopy(theirForm)
    remember()
    failures = 0
    state.value =
      wire.value === savedWire ? { kind: 'saved', at: (lastSaveAt = Date.now()) } : { kind: 'waiting' }
    if (state.value.kind === 'waiting' && !closed) schedule(SAVE_AFTER_MS)
  }

  /** Merges the version of somebody else; what both changed differently is asked for. */
  async function meet(theirs: Invoice): Promise<void> {
    const theirForm = formOfDraft(theirs, options.today(), await contactOf(theirs))
    if (theirs.id !== id.value || theirs.version <= version.value) return
    const merge = mergeWith(theirForm)
    if (merge.conflicts.length > 0) {
      clearTimeout(timer)
      state.value = { kind: 'conflict', theirs, theirForm }
      return
    }
    const differences = merge.differences.filter(({ changedBy }) => changedBy === 'theirs')
    goOnWith(theirs, theirForm, merge.build())
    if (differences.length > 0) merged.value = { differences, change: lastChange.value }
  }

  /** Goes on with what a person has chosen, and saves it. Both versions stay in the history of the page. */
  async function resolve(choices: ReadonlyMap<string, Side>): Promise<void> {
    if (state.value.kind !== 'conflict' || !conflict.value) return
    const { theirs, theirForm } = state.value
    goOnWith(theirs, theirForm, conflict.value.build(choices))
    await save()
  }

  /** Saves what is here, and then leaves the draft to somebody else until `resume`. */
  async function pauseFor(by: string): Promise<void> {
    if (state.value.kind === 'paused' || state.value.kind === 'conflict') return
    await save()
    clearTimeout(timer)
    state.value = { kind: 'paused', by }
  }

  /** Goes on here: what was typed meanwhile is merged with what the other person did. */
  async function resume(): Promise<void> {
    if (state.value.kind !== 'paused') return
    state.value = { kind: 'waiting' }
    await lookElsewhere()
    if (state.value.kind === 'waiting') await save()
  }

  // Saves what could not be saved as soon as it is possible, without waiting for the next attempt.
  onWriteRecovered(() => {
    if (state.value.kind === 'retry' && !closed) void save()
  })

  const lastChange = useLastChange(
    'invoice.changed',
    (event) => event.bookId === options.bookId && event.data.invoiceId === id.value,
    (event) => isEcho(event),
  )

  onEvent('invoice.*', (event) => {
    if (event.bookId !== options.bookId || event.data.invoiceId !== id.value || id.value === null) return
    if (event.type === 'invoice.issued') return options.issued(id.value)
    if (event.type === 'invoice.changed' && !isEcho(event)) void lookElsewhere()
  })

  /** Returns whether an event is about a save of this page: by the same person, and just now. */
  function isEcho({ actor }: WindowEvent): boolean {
    return actor?.id === (person.me?.id ?? 'user') && Date.now() - lastSaveAt < OWN_ECHO_MS
  }

  async function lookElsewhere(): Promise<void> {
    while (running) await running
    const wanted = id.value
    if (wanted === null) return
    try {
      const theirs = await call('invoices.get', { id: wanted }, { bookId: options.bookId })
      if (id.value !== wanted || theirs.version <= version.value || theirs.state !== 'draft') return
      // What is typed here while somebody else goes on is merged when it is this page's turn again.
      if (state.value.kind === 'paused' && hasUnsaved()) return
      if (state.value.kind === 'paused') await adopt(theirs)
      else await meet(theirs)
    } catch {
      // The next save meets the same difference and reports it.
    }
  }

  // ---- Opening and leaving. ----

  /** Opens a draft, or starts one with null. Restores what was left unsaved in this window. */
  async function open(draftId: string | null): Promise<void> {
    loadError.value = null
    id.value = draftId
    const left = leftBehind.get(memoryKey())
    if (left) {
      leftBehind.delete(memoryKey())
      replaceForm(left.form)
      version.value = left.version
      savedWire = left.savedWire
      kept.value = left.saved
      savedForm = left.savedForm
      restored.value = true
      if (wire.value !== null && wire.value !== savedWire) {
        state.value = { kind: 'waiting' }
        schedule(0)
      } else state.value = draftId === null ? { kind: 'blank' } : { kind: 'waiting' }
      return
    }
    if (draftId === null) return remember()
    loading.value = true
    try {
      const invoice = await call('invoices.get', { id: draftId }, { bookId: options.bookId })
      if (invoice.state !== 'draft') return options.issued(invoice.id)
      await adopt(invoice)
    } catch (thrown) {
      loadError.value = asCallError(thrown)
    } finally {
      loading.value = false
    }
  }

  /** Saves before the page is left; what cannot be saved is held in memory until the page is opened again. */
  async function leave(): Promise<boolean> {
    closed = true
    clearTimeout(timer)
    if (!hasUnsaved()) return true
    if (wire.value !== null) await save()
    clearTimeout(timer)
    if (!hasUnsaved()) return true
    leftBehind.set(memoryKey(), {
      form: copyForm(form),
      version: version.value,
      savedWire,
      saved: kept.value,
      savedForm,
    })
    return false
  }

  /** Discards the kept content and starts an empty draft. */
  function startOver(): void {
    clearTimeout(timer)
    replaceForm(emptyForm(options.defaults()))
    id.value = null
    kept.value = null
    version.value = 0
    savedWire = null
    savedForm = null
    merged.value = null
    restored.value = false
    state.value = { kind: 'blank' }
    past = []
    at.value = -1
    remember()
  }

  const shared: SharedForm<DraftForm> = {
    conflict,
    merged,
    closeMerged: () => (merged.value = null),
    change: lastChange,
    pausedBy: computed(() => (state.value.kind === 'paused' ? state.value.by : null)),
    choose: resolve,
    pauseFor,
    resume,
  }

  onScopeDispose(() => {
    closed = true
    clearTimeout(timer)
  })

  return {
    form,
    id,
    version,
    kept,
    state,
    loading,
    loadError,
    restored,
    open,
    save,
    leave,
    checkElsewhere: lookElsewhere,
    startOver,
    hasUnsaved,
    shared,
    undo: () => step(-1),
    redo: () => step(1),
    canUndo: computed(() => at.value > 0),
  }
}

export type Draft = ReturnType<typeof useDraft>
