/** The channels that say something about an invoice's journey. A new channel is added here. */
import type { JourneySource, ReceivedSource } from '../source.ts'
import { entrySource, receivedPaymentSource } from './entry.ts'
import { exchangeReceivedSource, exchangeSource } from './exchange.ts'
import { mailSource } from './mail.ts'
import { paymentSource } from './payments.ts'
import { portalSource } from './portal.ts'
import { registrySource } from './registry.ts'
import { replySource } from './replies.ts'

/** Of an issued invoice. */
export const SOURCES: readonly JourneySource[] = [
  registrySource,
  mailSource,
  replySource,
  exchangeSource,
  portalSource,
  paymentSource,
]

/** Of a received invoice. */
export const RECEIVED_SOURCES: readonly ReceivedSource[] = [
  entrySource,
  exchangeReceivedSource,
  receivedPaymentSource,
]
