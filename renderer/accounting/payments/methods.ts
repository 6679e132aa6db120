/** Payment methods, the most used first. */
import type { InputOf } from '../../../server/api/contracts.ts'
import { PAYMENT_METHODS } from '../../../server/domain/payment-methods.ts'

export type Method = InputOf<'payments.collect'>['method']

export const METHODS: readonly Method[] = PAYMENT_METHODS
