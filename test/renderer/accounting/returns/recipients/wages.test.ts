/** Recipients of wages: conversion between the edited cards and the API. */
import { expect, test } from 'vitest'
import {
  emptyRecipient,
  formOfRecipients,
  isEmpty,
  recipientsOfForm,
  subkeysOf,
  withEarlier,
} from '../../../../../renderer/accounting/returns/recipients/wages.ts'

const EVA = {
  nif: '50123456Q',
  name: 'Gil Mora, Eva',
  key: 'E' as const,
  subkey: '01',
  province: '08',
  paid: 1000.1,
  withheld: 150,
  inKind: 0,
  inKindWithheld: 0,
}

test('recipients are sent as they were read; keys of one digit get a leading zero', () => {
  expect(recipientsOfForm(formOfRecipients([EVA]))).toEqual([EVA])
  const [row] = formOfRecipients([EVA])
  expect(recipientsOfForm([{ ...row!, province: '8', subkey: ' ' }])).toMatchObject([
    { province: '08', subkey: null },
  ])
})

test('a card without a text or an amount is empty, whatever its key is', () => {
  expect(isEmpty({ ...emptyRecipient(), perceptionKey: 'L' })).toBe(true)
  for (const typed of [{ name: 'Eva' }, { nif: '5' }, { paid: 0 }, { inKindWithheld: 1 }])
    expect(isEmpty({ ...emptyRecipient(), ...typed })).toBe(false)
})

const FACTS = {
  birthYear: 1980,
  familySituation: 2,
  spouseNif: '12345678Z',
  disability: 0,
  contract: 1,
  movedForJob: false,
  homeLoan: true,
  deductibleCosts: 1143.05,
  incapacityPaid: 300.3,
  descendants: {
    under3: { total: 1, whole: 0 },
    others: { total: 1, whole: 1 },
    disabled33: { total: 0, whole: 0 },
    reducedMobility: { total: 0, whole: 0 },
    disabled65: { total: 0, whole: 0 },
  },
  childShares: ['whole' as const, 'half' as const],
  startUpShares: true,
}
const EMPLOYEE = { ...EVA, key: 'A' as const, subkey: null, facts: FACTS }

test('facts are sent as they were read, and zero is typed where nothing is', () => {
  expect(recipientsOfForm(formOfRecipients([EMPLOYEE]))).toEqual([EMPLOYEE])
  const [row] = formOfRecipients([EMPLOYEE])
  row!.facts.amounts.deductibleCosts = 0
  row!.facts.amounts.reductions = null
  const [sent] = recipientsOfForm([row!])
  expect(sent!.facts!.deductibleCosts).toBe(0)
  expect(sent!.facts).not.toHaveProperty('reductions')
})

test('facts that the new key does not take are left out', () => {
  const [row] = formOfRecipients([EMPLOYEE])
  row!.perceptionKey = 'E'
  row!.subkey = '02'
  expect(recipientsOfForm([row!])[0]!.facts).toEqual({ deductibleCosts: 1143.05 })
  row!.subkey = '03'
  expect(recipientsOfForm([row!])[0]).not.toHaveProperty('facts')
})

test('the subkeys offered are those of the key, and one that it does not have', () => {
  expect(subkeysOf({ ...emptyRecipient(), perceptionKey: 'E' })).toEqual(['01', '02', '03', '04'])
  expect(subkeysOf({ ...emptyRecipient(), perceptionKey: 'A' })).toEqual([])
  expect(subkeysOf({ ...emptyRecipient(), perceptionKey: 'A', subkey: '01' })).toEqual(['01'])
})

test('facts of last year that may still be true fill in cards without facts, by number and key', () => {
  const { facts: _facts, ...bare } = EMPLOYEE
  const typed = formOfRecipients([{ ...bare, nif: '50.123.456-Q' }, EVA])
  const { rows, copied } = withEarlier(typed, [EMPLOYEE])
  expect(copied).toBe(1)
  const sent = recipientsOfForm(rows)
  expect(sent[0]!.facts).toMatchObject({ birthYear: 1980, spouseNif: '12345678Z', homeLoan: true })
  for (const ofOneYear of ['deductibleCosts', 'incapacityPaid', 'startUpShares', 'movedForJob'])
    expect(sent[0]!.facts).not.toHaveProperty(ofOneYear)
  expect(sent[0]!.paid).toBe(1000.1)
  expect(sent[1]).toEqual(EVA)
  // What is typed already stays.
  expect(withEarlier(rows, [{ ...EMPLOYEE, facts: { birthYear: 1970 } }]).copied).toBe(0)
})

test('without a card the people of last year come without their amounts', () => {
  const { rows, copied } = withEarlier([emptyRecipient()], [EMPLOYEE, EVA])
  expect(copied).toBe(1)
  expect(recipientsOfForm(rows)).toMatchObject([
    { nif: EVA.nif, key: 'A', paid: 0, withheld: 0, facts: { birthYear: 1980 } },
    { nif: EVA.nif, key: 'E', subkey: '01', paid: 0 },
  ])
  expect(withEarlier([emptyRecipient()], []).rows).toHaveLength(1)
})
