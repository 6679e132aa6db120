/** The document under review: what was read of it in the form, what is still in doubt, and what a person decides. */
import { computed, ref, shallowReactive, shallowRef, watch } from 'vue'
import { asCallError, call } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { latestCall } from '../../composables/latest-call.ts'
import { useStateThroughLock } from '../../app/app-lock/preserved-state.ts'
import { formOfProposal, receivedInput } from '../form.ts'
import type { Received, ReceivedForm } from '../form.ts'
import { useReceivedForm } from '../form/use-received-form.ts'
import { doubtsOf, noticesOf } from './notices.ts'
import type { Incoming } from './notices.ts'
import { isOpen, isWaiting, targetsOf } from './rows.ts'

/** What a person has typed and accepted of a document. */
interface Work {
  version: number
  /** False if fields were only accepted. */
  isTyped: boolean
  form: ReceivedForm
  accepted: readonly string[]
  answered: readonly string[]
}

export function useReview(options: { id: () => string | null; today: () => string }) {
  const state = useReceivedForm({ today: options.today, entryId: () => undefined })
  const { form, proposal, doubts, accepted, refusal, forced } = state
  const document = shallowRef<Incoming | null>(null)
  const error = shallowRef<CallError | null>(null)
  const busy = ref(false)
  /** Notices that a person has answered. */
  const answered = shallowReactive(new Set<string>())
  /** True once a person has typed or accepted something of the shown document. */
  const isTouched = computed(() => state.isTouched.value || accepted.size > 0 || answered.size > 0)
  /** Work on documents that are not shown now. */
  const works = new Map<string, Work>()
  const begin = latestCall()

  const isOpenDocument = computed(() => document.value !== null && isOpen(document.value))
  const isBeingRead = computed(() => document.value !== null && isWaiting(document.value))
  const notices = computed(() => (document.value && isOpenDocument.value ? noticesOf(document.value) : []))
  /** Keys of the notices that wait for an answer, and fields that wait for a look. */
  const openNotices = computed(() =>
    notices.value.filter(({ key, answer }) => answer !== null && !answered.has(key)).map(({ key }) => key),
  )
  const openFields = computed(() => targetsOf(state.open.value))
  const openCount = computed(() => openNotices.value.length + openFields.value.length)

  function workNow(): Work | null {
    return document.value && isOpenDocument.value && isTouched.value
      ? {
          version: document.value.version,
          isTyped: state.isTouched.value,
          form: JSON.parse(JSON.stringify(form)) as ReceivedForm,
          accepted: [...accepted],
          answered: [...answered],
        }
      : null
  }
  /** The document that was just decided: what was typed of it is done with. */
  let decidedId: string | null = null
  function keepWork(): void {
    if (document.value?.id === decidedId) return
    const work = workNow()
    if (work && document.value) works.set(document.value.id, work)
  }
  function continueWork(work: Work): void {
    Object.assign(form, work.form)
    work.accepted.forEach((field) => accepted.add(field))
    work.answered.forEach((key) => answer(key))
  }

  function show(found: Incoming): void {
    const { reading } = found
    document.value = found
    decidedId = null
    error.value = null
    answered.clear()
    state.clear()
    if (!reading || !isOpen(found)) return
    proposal.value = reading.proposal
    doubts.value = doubtsOf(found)
    state.fill(formOfProposal(reading.proposal, options.today()))
    const work = works.get(found.id)
    works.delete(found.id)
    if (work?.version === found.version) continueWork(work)
  }

  /** Restores what was typed of a document after Sello was locked. */
  const restoreWork = useStateThroughLock('incoming', workNow, (work) => {
    if (work.version === document.value?.version) continueWork(work)
  })

  async function load(): Promise<void> {
    const id = options.id()
    const isLatest = begin()
    if (id === null) {
      document.value = null
      return
    }
    try {
      const found = await call('incoming.get', { id })
      if (!isLatest()) return
      const before = document.value
      // Typed values stay while the document is the same.
      if (before?.id === id && before.version === found.version) document.value = found
      else show(found)
      restoreWork()
    } catch (thrown) {
      if (!isLatest()) return
      if (document.value?.id !== id) document.value = null
      error.value = asCallError(thrown)
    }
  }
  watch(
    options.id,
    (next) => {
      keepWork()
      if (document.value?.id !== next) {
        document.value = null
        error.value = null
      }
      void load()
    },
    { immediate: true },
  )

  function answer(key: string): void {
    answered.add(key)
    // Only a certain duplicate is one that the server would refuse.
    if (notices.value.some((each) => each.key === key && each.answer === 'enterAnyway')) forced.value = true
  }
  /** Accepts a field as it stands, with those that are looked at together. */
  function accept(field: string): void {
    for (const each of doubts.value) if (targetsOf([each])[0] === field) accepted.add(each)
  }

  /** Runs a decision about the shown document, one at a time; null if it was refused. */
  async function decide<Answer>(deed: (shown: Incoming) => Promise<Answer>): Promise<Answer | null> {
    const shown = document.value
    if (!shown || busy.value) return null
    busy.value = true
    refusal.value = null
    try {
      const done = await deed(shown)
      works.delete(shown.id)
      decidedId = shown.id
      return done
    } catch (thrown) {
      refusal.value = asCallError(thrown)
      // Somebody else changed or decided it.
      if (['version_conflict', 'incoming_decided', 'not_found'].includes(refusal.value.code)) void load()
      return null
    } finally {
      busy.value = false
    }
  }

  /** Enters the document as the form says. */
  const enter = (): Promise<{ document: Incoming; received: Received } | null> =>
    decide(async ({ id, version }) => {
      await state.keepSupplier()
      return call('incoming.enter', {
        id,
        input: { ...receivedInput(form), ...(forced.value ? { allowDuplicate: true } : {}) },
        expectedVersion: version,
      })
    })
  const reject = (): Promise<Incoming | null> =>
    decide(({ id, version }) => call('incoming.reject', { id, expectedVersion: version }))
  const readAgain = (): Promise<Incoming | null> =>
    decide(({ id, version }) => call('incoming.readAgain', { id, expectedVersion: version }))
  const restore = (): Promise<Incoming | null> =>
    decide(({ id, version }) => call('incoming.restore', { id, expectedVersion: version }))

  return {
    state,
    document,
    error,
    busy,
    /** True if typed values would be lost. */
    hasWork: () =>
      (isOpenDocument.value && document.value?.id !== decidedId && state.isTouched.value) ||
      [...works.values()].some(({ isTyped }) => isTyped),
    isBeingRead,
    isOpen: isOpenDocument,
    notices,
    answered,
    openNotices,
    openFields,
    openCount,
    answer,
    accept,
    load,
    show,
    enter,
    reject,
    readAgain,
    restore,
  }
}

export type Review = ReturnType<typeof useReview>
