/** Technical terms with a question mark, and the topic of each. Pure. */
import type { TopicId } from './topics.ts'

export const TIPS = {
  base: 'vat',
  withholding: 'withholding',
  due: 'withholding',
  surcharge: 'surcharge',
  operationDate: 'draft-and-issue',
  series: 'series',
  kind: 'simplified',
  gross: 'vat',
  art7273: 'simplified',
  hash: 'verifactu',
  regime: 'vat',
  paymentDays: 'reminders',
  concept: 'received',
  deductible: 'received',
} as const satisfies Record<string, TopicId>

export type TipName = keyof typeof TIPS
