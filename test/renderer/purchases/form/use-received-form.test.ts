/** The form of a received invoice while it is filled, typed in and checked. */
import { effectScope, nextTick } from 'vue'
import type { EffectScope } from 'vue'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyForm, formOfProposal } from '../../../../renderer/purchases/form.ts'
import type { Proposal } from '../../../../renderer/purchases/form.ts'

let scope: EffectScope
const calls: { operation: string; input: Record<string, unknown> }[] = []
let answers: Record<string, unknown>

beforeEach(() => {
  calls.length = 0
  answers = { 'contacts.list': { items: [] }, 'contacts.create': { id: 'con_new' }, 'received.preview': {} }
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const operation = url.replace('/app/call/', '')
    calls.push({ operation, input: JSON.parse(String(init.body)) as Record<string, unknown> })
    return Response.json({ ok: true, data: answers[operation] })
  })
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.unstubAllGlobals()
})

const TODAY = '2026-07-01'
async function openForm(entryId?: string) {
  const { useReceivedForm } = await import('../../../../renderer/purchases/form/use-received-form.ts')
  return scope.run(() => useReceivedForm({ today: () => TODAY, entryId: () => entryId }))!
}
const PROPOSAL: Proposal = {
  source: 'text',
  format: null,
  supplierName: 'Luna',
  supplierNif: 'FR12345678901',
  supplierNumber: 'A-1',
  taxLines: [{ base: 100 }],
  confidence: {},
  levels: { supplierNumber: 'guess', supplierNif: 'read', taxLines: 'read', total: 'read' },
  evidence: {},
  alternatives: { supplierNumber: ['A-7'] },
  closes: false,
}

async function filled() {
  const state = await openForm()
  state.proposal.value = PROPOSAL
  state.doubts.value = ['supplierNif', 'supplierNumber', 'taxLines', 'total']
  state.fill(formOfProposal(PROPOSAL, TODAY))
  await nextTick()
  return state
}

test('what the form derives from a reading is neither typed nor looked at', async () => {
  const state = await filled()
  // The VAT number gives the country, and with it the VAT that nobody chose.
  expect([state.form.country, state.form.lines[0]?.bearing]).toEqual(['FR', 'eu_services'])
  expect(state.isTouched.value).toBe(false)
  expect(state.open.value).toEqual(['supplierNif', 'supplierNumber', 'taxLines', 'total'])
})

test('a doubt ends when its field is accepted, typed in, or another value is taken', async () => {
  const state = await filled()
  expect(state.note('supplierNumber')).toMatchObject({ tone: 'doubt', alternatives: ['A-7'] })
  state.choose('supplierNumber', 'A-7')
  expect(state.form.supplierNumber).toBe('A-7')
  expect(state.note('supplierNumber')).toMatchObject({ tone: 'checked', alternatives: ['A-1'] })
  state.accepted.add('supplierNif')
  state.form.lines[0]!.base = 9_000
  expect(state.open.value).toEqual([])
  // Back to what was read: nobody has looked at it.
  state.choose('supplierNumber', 'A-1')
  expect(state.open.value).toEqual(['supplierNumber'])
})

test('a reading is unsaved work, also right after the form was emptied', async () => {
  const state = await openForm()
  state.clear()
  state.fillRead(formOfProposal(PROPOSAL, TODAY))
  await nextTick()
  expect(state.isTouched.value).toBe(true)
  state.fill(emptyForm(TODAY))
  await nextTick()
  expect(state.isTouched.value).toBe(false)
})

test('nothing is said of the fields of an entry that is saved', async () => {
  const state = await openForm('rec_1')
  state.proposal.value = PROPOSAL
  state.fillRead(formOfProposal(PROPOSAL, TODAY))
  expect(state.note('supplierNumber')).toBeNull()
})

test('the supplier becomes a contact once, also if another document has made it since', async () => {
  const state = await openForm()
  state.fillRead({ ...emptyForm(TODAY), supplierName: 'Luna', nif: 'B58818501' })
  await state.keepSupplier()
  expect(state.form.supplierId).toBe('con_new')
  await state.keepSupplier()
  expect(calls.filter(({ operation }) => operation === 'contacts.create')).toHaveLength(1)

  answers['contacts.list'] = {
    items: [
      { id: 'con_other', nif: 'B12345674' },
      { id: 'con_luna', nif: 'b-58818501' },
    ],
  }
  state.form.supplierId = null
  await state.keepSupplier()
  expect(state.form.supplierId).toBe('con_luna')
  expect(calls.filter(({ operation }) => operation === 'contacts.create')).toHaveLength(1)
})
