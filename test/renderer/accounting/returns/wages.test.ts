/** Recipients of wages: conversion between the edited cards and the API. */
import { expect, test } from 'vitest'
import {
  emptyRecipient,
  formOfRecipients,
  isEmpty,
  recipientsOfForm,
  WAGE_KEYS,
} from '../../../../renderer/accounting/returns/wages.ts'
import * as contract from '../../../../server/accounting/returns/contract.ts'

const EVA = {
  nif: '50123456Q',
  name: 'Gil Mora, Eva',
  key: 'A' as const,
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

test('the keys offered are those of the contract', () => {
  expect(WAGE_KEYS).toEqual(contract.WAGE_KEYS)
})
