/**
 * The form of a received invoice, wherever it is filled: its values, the totals that the server computes while the
 * user types, and what a reading says of each field.
 */
import { useDebounceFn } from '@vueuse/core'
import { computed, reactive, ref, shallowReactive, shallowRef, watch } from 'vue'
import { normalizeNif } from '../../../server/domain/tax/nif.ts'
import { otherStateOf } from '../../../server/domain/tax/vat-numbers.ts'
import { isInUnion } from '../../../server/domain/tax/territories.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { call } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { faultText } from '../../errors.ts'
import { hasText, translate } from '../../i18n.ts'
import { canPreview, emptyForm, formField, proposeBearings, receivedInput } from '../form.ts'
import type { Proposal, ReceivedForm } from '../form.ts'
import { heldAll, heldBy, noteOf } from './field-notes.ts'
import type { FieldNote } from './field-notes.ts'

type Preview = OutputOf<'received.preview'>
export type Fault = Preview['warnings'][number]

const PREVIEW_AFTER_MS = 250

/** Returns a warning in words. */
export function warningText(fault: Fault): string {
  return hasText(`received.warning.${fault.code}`)
    ? translate(`received.warning.${fault.code}`, fault.params ?? {})
    : faultText(fault)
}

/** `entryId` names the entry that is changed; undefined for a new one. */
export function useReceivedForm(options: { today: () => string; entryId: () => string | undefined }) {
  const { today, entryId } = options
  const form = reactive<ReceivedForm>(emptyForm(today()))
  const proposal = shallowRef<Proposal | null>(null)
  const readFaults = shallowRef<readonly Fault[]>([])
  const preview = shallowRef<Preview | null>(null)
  const refusal = shallowRef<CallError | null>(null)
  /** True if the user said that a duplicate is another document. */
  const forced = ref(false)
  const saveSupplier = ref(true)
  /** Fields of the reading to look at before the document is entered. */
  const doubts = shallowRef<readonly string[]>([])
  const accepted = shallowReactive(new Set<string>())
  const filled = shallowRef<Record<string, string>>({})
  const kept = ref(JSON.stringify(form))
  const isTouched = computed(() => JSON.stringify(form) !== kept.value)

  /** Derives what the form proposes by itself, so that it does not count as changed by a person. */
  function derive(): void {
    if (entryId() !== undefined) return
    if (form.country === 'ES') form.country = otherStateOf(form.nif) ?? form.country
    proposeBearings(form)
  }
  /** Fills the form from a reading, which is unsaved work. */
  function fillRead(next: ReceivedForm): void {
    Object.assign(form, next)
    derive()
    accepted.clear()
    filled.value = heldAll(form)
  }
  /** Fills the form; what is typed from now on is unsaved work. */
  function fill(next: ReceivedForm): void {
    fillRead(next)
    kept.value = JSON.stringify(form)
  }
  function clear(): void {
    proposal.value = null
    readFaults.value = []
    preview.value = null
    refusal.value = null
    forced.value = false
    doubts.value = []
    fill(emptyForm(today()))
  }

  // ---- Totals. ----

  let generation = 0
  const ask = useDebounceFn(async () => {
    const mine = ++generation
    if (!canPreview(form)) {
      preview.value = null
      return
    }
    try {
      const id = entryId()
      const asked = await call('received.preview', { ...receivedInput(form), ...(id ? { id } : {}) })
      if (mine === generation) preview.value = asked
    } catch {
      // Half-typed values have no totals yet; saving reports what is wrong.
      if (mine === generation) preview.value = null
    }
  }, PREVIEW_AFTER_MS)
  watch(form, () => void ask(), { deep: true })
  // A foreign supplier: its VAT number gives the country, and VAT that nobody chose is proposed.
  watch(
    () => [form.nif, form.country, form.kind] as const,
    ([nif, country], [nifBefore]) => {
      if (nif !== nifBefore && country === 'ES') form.country = otherStateOf(nif) ?? country
      if (entryId() === undefined) proposeBearings(form)
    },
  )

  // ---- Faults and warnings. ----

  const faults = computed(() => {
    const found: Record<string, string> = {}
    for (const fault of refusal.value?.faults ?? []) {
      if (fault.severity !== 'error') continue
      const field = formField(fault.field)
      // An empty field is missing, not invalid or too short.
      const isEmpty = ['not_a_date', 'too_small'].includes(fault.code) && !form[field as keyof ReceivedForm]
      const code = isEmpty ? 'required' : fault.code
      found[field] ??= hasText(`received.fault.${code}`)
        ? translate(`received.fault.${code}`, fault.params ?? {})
        : faultText(fault)
    }
    return found
  })
  /** An error that does not concern single fields. */
  const whole = computed(() => (refusal.value && refusal.value.faults.length === 0 ? refusal.value : null))
  const duplicate = computed(() => preview.value?.duplicate ?? null)

  // ---- What the reading says. ----

  const isChanged = (field: string): boolean =>
    filled.value[field] !== undefined && heldBy(form, field) !== filled.value[field]

  const VALUES: Record<string, keyof ReceivedForm> = { supplierNif: 'nif' }
  const nameOf = (field: string): keyof ReceivedForm => VALUES[field] ?? (field as keyof ReceivedForm)

  /** Returns what is said beside a field; null for an entry that is saved. */
  function note(field: string): FieldNote | null {
    if (proposal.value === null || entryId() !== undefined) return null
    return noteOf(field, {
      proposal: proposal.value,
      doubts: doubts.value,
      accepted,
      isChanged: isChanged(field),
      value: String(form[nameOf(field)] ?? ''),
    })
  }

  /** Takes an alternative of a field. */
  function choose(field: string, value: string | number): void {
    Object.assign(form, { [nameOf(field)]: value })
    // Another name is not the contact that was found.
    if (field === 'supplierName' || field === 'supplierNif') form.supplierId = null
  }

  /** Returns the fields that still have to be looked at. */
  const open = computed(() => doubts.value.filter((field) => !accepted.has(field) && !isChanged(field)))

  // ---- Saving. ----

  /** Saves the supplier as a contact, if wanted, so that the entry refers to it. Throws `CallError`. */
  async function keepSupplier(): Promise<void> {
    if (!saveSupplier.value || form.supplierId !== null || form.nif.trim() === '') return
    // Another document may have made it since this one was read.
    const nif = normalizeNif(form.nif)
    const { items } = await call('contacts.list', { text: form.nif.trim(), limit: 8 })
    const known = items.find((each) => each.nif !== null && normalizeNif(each.nif) === nif)
    if (known) {
      form.supplierId = known.id
      return
    }
    const contact = await call('contacts.create', {
      name: form.supplierName.trim(),
      nif: form.nif.trim(),
      roles: { customer: false, supplier: true },
      // A VAT number of the Union, or a document of any other country.
      ...(form.country === 'ES' ? {} : { idType: isInUnion(form.country) ? '02' : '04' }),
      // An address belongs to the country it was read with.
      ...(form.address?.country === form.country ? { address: form.address } : {}),
    })
    form.supplierId = contact.id
  }

  return {
    today,
    form,
    proposal,
    readFaults,
    preview,
    refusal,
    forced,
    saveSupplier,
    doubts,
    accepted,
    isTouched,
    fill,
    fillRead,
    clear,
    faults,
    whole,
    duplicate,
    note,
    choose,
    open,
    isChanged,
    keepSupplier,
  }
}

export type ReceivedFormState = ReturnType<typeof useReceivedForm>
