/** State of the page that closes a quarter. */
import { expect, test } from 'vitest'
import {
  agrees,
  firstMissing,
  itemKey,
  PLACES,
} from '../../../../renderer/accounting/returns/close/closing.ts'
import { agencyPage } from '../../../../renderer/accounting/returns/transfer/agency.ts'
import { FIGURES, REASONS, STEPS } from '../../../../server/app/closing/contract.ts'
import en from '../../../../renderer/locales/en/index.ts'
import es from '../../../../renderer/locales/es/index.ts'
import { resolves } from '../../../support/browser/window-paths.ts'

test('the first step with something missing opens; what is not known opens nothing', () => {
  expect(
    firstMissing([
      { id: 'drafts', state: 'done' },
      { id: 'bank', state: 'unknown' },
      { id: 'registry', state: 'missing' },
      { id: 'lock', state: 'missing' },
    ]),
  ).toBe('registry')
  expect(
    firstMissing([
      { id: 'recurring', state: 'not_needed' },
      { id: 'pack', state: 'unknown' },
    ]),
  ).toBeNull()
})

test('every step, reason and figure has its texts in both languages', () => {
  for (const { closing } of [es, en]) {
    for (const step of STEPS)
      expect(closing[step], step).toMatchObject({
        title: expect.stringMatching(/./),
        text: expect.stringMatching(/./),
      })
    for (const reason of REASONS) expect(closing.why, reason).toHaveProperty(reason)
    for (const figure of FIGURES) expect(closing.figures, figure).toHaveProperty(figure)
  }
})

test('links lead to pages that exist', () => {
  for (const place of Object.values(PLACES)) expect(resolves(place), place).toBe(true)
  expect(resolves('/taxes/2026-3T/close')).toBe(true)
})

test('what a program asks for is a step of an invoice, or else a proposal', () => {
  expect(itemKey('approvals', 'issue')).toBe('closing.approvals.step.issue')
  expect(itemKey('approvals', 'correct_invoice')).toBe('closing.approvals.step.proposal')
  expect(itemKey('registry', 'rejected')).toBe('closing.item.rejected')
  expect(itemKey('drafts', null)).toBeNull()
})

test('the ledger agrees with a return only in all three sums', () => {
  expect(agrees({ difference: { output: 0, input: 0, result: 0 } })).toBe(true)
  expect(agrees({ difference: { output: 0, input: 0.01, result: 0 } })).toBe(false)
  expect(agrees({ difference: { output: 1, input: 1, result: 0 } })).toBe(false)
})

test('the agency’s page of a form is one that was checked, or its electronic office', () => {
  expect(agencyPage('303')).toBe('https://sede.agenciatributaria.gob.es/Sede/procedimientoini/G414.shtml')
  expect(agencyPage('190')).toBe('https://sede.agenciatributaria.gob.es/')
  expect(agencyPage('420')).toBeNull()
})
