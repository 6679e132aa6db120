/** Rented premises: conversion between the edited cards and the API. */
import { expect, test } from 'vitest'
import {
  emptyPremises,
  formOfPremises,
  premisesAgain,
  premisesOfForm,
  premisesOfLandlord,
} from '../../../../../renderer/accounting/returns/recipients/premises.ts'

const SHOP = {
  id: 'ren_1',
  landlordNif: 'A58818501',
  landlordName: 'Locales del Sur, S.A.',
  rentKind: 'money' as const,
  situation: 1,
  cadastralNumber: '9872023VH5797S0001WX',
  streetType: 'CALLE',
  street: 'Mayor',
  numbering: 'NUM',
  houseNumber: 12,
  qualifier: null,
  block: null,
  entrance: null,
  staircase: null,
  floor: 'BJ',
  door: null,
  complement: null,
  town: null,
  municipality: 'Madrid',
  municipalityCode: '28079',
  province: '28',
  postalCode: '28013',
  fromYear: 2024,
  toYear: null,
  base: 1200.55,
}

test('premises are sent as they were read; what is empty is sent as nothing', () => {
  expect(premisesOfForm(formOfPremises([SHOP]))).toEqual([SHOP])
  const [row] = formOfPremises([SHOP])
  row!.address.houseNumber = ''
  row!.address.numbering = 's/n'
  row!.address.province = '8'
  row!.toYear = '2026'
  row!.base = null
  expect(premisesOfForm([row!])).toMatchObject([
    { numbering: 'S/N', houseNumber: null, province: '08', toYear: 2026, base: null },
  ])
})

test('new premises are those of the landlord who was chosen, and have no identifier', () => {
  const row = emptyPremises(2026, { nif: SHOP.landlordNif, name: SHOP.landlordName })
  expect(row).toMatchObject({ landlordNif: 'A58818501', fromYear: '2026', toYear: '' })
  expect(premisesOfForm([row])[0]).not.toHaveProperty('id')
})

test('a landlord has the premises that are rented in the year, however the number is written', () => {
  const rows = formOfPremises([
    SHOP,
    { ...SHOP, id: 'ren_2', toYear: 2025 },
    { ...SHOP, id: 'ren_3', landlordNif: '12345678Z' },
  ])
  rows[0]!.landlordNif = 'a-58818501'
  const ids = (year: number) => premisesOfLandlord(rows, { nif: 'A58818501' }, year).map(({ id }) => id)
  expect(ids(2026)).toEqual(['ren_1'])
  expect(ids(2025)).toEqual(['ren_1', 'ren_2'])
  expect(ids(2023)).toEqual([])
  expect(premisesOfLandlord(rows, { nif: null }, 2026)).toEqual([])
})

test('premises that were removed come back as new ones', () => {
  const again = premisesAgain([SHOP, { ...SHOP, id: 'ren_2' }], new Set(['ren_1', null]))
  expect(again[0]).toMatchObject({ id: 'ren_1' })
  expect(again[1]).not.toHaveProperty('id')
})
