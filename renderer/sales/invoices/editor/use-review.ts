/** Faults that keep a draft from being issued: those of the page, those of the server, and where each is shown. */
import { refDebounced } from '@vueuse/core'
import { computed, reactive, ref, shallowRef } from 'vue'
import { asCallError, call } from '../../../call.ts'
import { useToasts } from '../../../stores/toasts.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { fieldMessage } from './fault-messages.ts'
import { aboutOf, localFaults, serverFaults } from './faults.ts'
import type { DraftFault, ServerFault } from './faults.ts'
import { rowFaultsOf } from './line-faults.ts'
import type { Draft } from './use-draft.ts'

const SHOWN_AFTER_MS = 200

/** `showBox` scrolls the list of faults into view. */
export function useReview(draft: Draft, bookId: string, showBox: () => Promise<void>) {
  const { form, state } = draft
  const toasts = useToasts()
  const reviewed = ref(false)
  const unreadDates = reactive<Record<string, string>>({})
  const unreadFigures = reactive<Record<string, string>>({})
  const found = shallowRef<readonly { fault: DraftFault; about: string }[]>([])

  function keepUnread(
    unread: Record<string, string>,
    anchor: string,
    fault: string | null,
    typed: string,
  ): void {
    if (fault === null) delete unread[anchor]
    else unread[anchor] = typed
  }

  const local = computed(() => localFaults(form, unreadDates, unreadFigures))
  const fromServer = computed(() =>
    found.value.filter(({ fault, about }) => aboutOf(fault, form) === about).map(({ fault }) => fault),
  )
  const fromSaving = computed(() =>
    state.value.kind === 'refused'
      ? serverFaults(state.value.error.faults as ServerFault[], form, local.value)
      : [],
  )
  /** Faults appear in the box only after a review; unreadable values are shown under their fields from the start. */
  const boxFaults = computed(() =>
    reviewed.value ? [...local.value, ...fromServer.value, ...fromSaving.value] : fromSaving.value,
  )
  const fieldFaults = computed(() =>
    reviewed.value
      ? boxFaults.value
      : [...local.value.filter((fault) => fault.code.endsWith('_unread')), ...fromSaving.value],
  )
  /** Delayed a moment: an error that appears when a field loses the focus must not move what is being clicked. */
  const rowFaults = refDebounced(
    computed(() => rowFaultsOf(fieldFaults.value)),
    SHOWN_AFTER_MS,
  )

  function messagesOf(severity: DraftFault['severity']): Record<string, string> {
    const texts: Record<string, string> = {}
    for (const fault of fieldFaults.value)
      if (fault.severity === severity) texts[fault.anchor] ??= fieldMessage(fault)
    return texts
  }
  const errorTexts = computed(() => {
    const texts = messagesOf('error')
    // An unreadable date or figure of the document is reported by its own field, one of a line by its row.
    for (const fault of fieldFaults.value)
      if (fault.anchor.startsWith('line:') || ['date_unread', 'figure_unread'].includes(fault.code))
        delete texts[fault.anchor]
    return texts
  })
  const warningTexts = computed(() => messagesOf('warning'))

  // ---- Validation by the server. ----

  const checking = ref(false)
  const validation = shallowRef<OutputOf<'invoices.validate'> | null>(null)

  function keepFound(issues: readonly ServerFault[]): void {
    found.value = serverFaults(issues, form, local.value).map((fault) => ({
      fault,
      about: aboutOf(fault, form),
    }))
  }

  /**
   * Validates the draft. `mayIssue` is true if there were no faults when the review started. If faults were fixed
   * meanwhile, the user has to start the review again.
   */
  async function validate(mayIssue: boolean): Promise<void> {
    const saved = await draft.save()
    const current = draft.id.value
    if (saved && current) {
      const answer = await call(
        'invoices.validate',
        { id: current, expectedVersion: draft.version.value },
        { bookId },
      )
      keepFound(answer.issues)
      if (mayIssue && answer.valid && answer.confirmation && local.value.length === 0) {
        validation.value = answer
        return
      }
    } else if (state.value.kind === 'retry') toasts.failed(state.value.error, () => void review())
  }

  /** Saves and validates; the result is `validation`, or faults. */
  async function review(): Promise<void> {
    if (checking.value || validation.value) return
    reviewed.value = true
    found.value = []
    checking.value = true
    // The page's own faults are shown at once: later the user may already be in a field.
    const shownAtOnce = boxFaults.value.length > 0
    try {
      if (shownAtOnce) await showBox()
      await validate(!shownAtOnce)
      if (!shownAtOnce && boxFaults.value.length > 0 && !validation.value) await showBox()
    } catch (thrown) {
      const error = asCallError(thrown)
      if (error.code === 'version_conflict') await draft.checkElsewhere()
      else toasts.failed(error, () => void review())
    } finally {
      checking.value = false
    }
  }

  return {
    boxFaults,
    rowFaults,
    errorTexts,
    warningTexts,
    checking,
    validation,
    keepFound,
    review,
    dateLeft: (anchor: string, fault: string | null, typed: string) =>
      keepUnread(unreadDates, anchor, fault, typed),
    figureLeft: (anchor: string, fault: string | null, typed: string) =>
      keepUnread(unreadFigures, anchor, fault, typed),
  }
}
