/** The ways to pay, in the order in which they are most used. */
import type { InputOf } from '../../../server/api/contracts.ts'

export type Method = InputOf<'payments.collect'>['method']

export const METHODS: readonly Method[] = [
  'transfer',
  'direct_debit',
  'card',
  'cash',
  'bizum',
  'cheque',
  'other',
]
