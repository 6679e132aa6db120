/** The ways to pay, in the order in which they are most used. */
import type { InputOf } from '../../../server/api/contracts.ts'
import { PAYMENT_METHODS } from '../../../server/domain/payment-methods.ts'

export type Method = InputOf<'payments.collect'>['method']

export const METHODS: readonly Method[] = PAYMENT_METHODS
