/** Deadline of the obligation to use VERI*FACTU: as the legal data state it, until its date. */
import { expect, test } from 'vitest'
import { dutyAhead } from '../../../../renderer/app/dashboard/duty.ts'
import { LAW_DATES } from '../../../../server/domain/tax/law-dates.ts'
import type { LawDate } from '../../../../server/domain/tax/law-dates.ts'

test('is shown with its gazette and what is only announced, until its last day', () => {
  expect(dutyAhead('2026-11-25', 'es')).toEqual({
    companies: '1 de enero de 2027',
    others: '1 de julio de 2027',
    gazette: 'BOE-A-2025-24446',
    announced:
      'El 5 de octubre de 2026 se anunció un retraso a octubre de 2028; mientras no se publique en el BOE, no cambia nada.',
  })
  expect(dutyAhead('2027-06-30', 'en')?.others).toBe('1 July 2027')
  expect(dutyAhead('2027-07-01', 'es')).toBeNull()
})

test('follows a later regulation, which is a data row', () => {
  const later = (code: LawDate['code']): LawDate => ({
    code,
    date: '2028-10-01',
    state: 'in_force',
    since: '2026-12-20',
    source: 'a norm of later',
    gazette: 'BOE-A-2026-99999',
  })
  const dates = [...LAW_DATES, later('verifactu_companies'), later('verifactu_others')]
  expect(dutyAhead('2027-07-01', 'es', dates)).toMatchObject({
    others: '1 de octubre de 2028',
    gazette: 'BOE-A-2026-99999',
    announced: '',
  })
})
