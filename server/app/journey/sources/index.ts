/** The channels that say something about an invoice's journey. A new channel is added here. */
import type { JourneySource } from '../source.ts'
import { mailSource } from './mail.ts'
import { paymentSource } from './payments.ts'
import { registrySource } from './registry.ts'
import { replySource } from './replies.ts'

export const SOURCES: readonly JourneySource[] = [registrySource, mailSource, replySource, paymentSource]
