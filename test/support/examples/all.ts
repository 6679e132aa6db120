/** The examples that have files of their own, by operation. */
import { assetExamples } from './assets.ts'
import { arrivalExamples } from './exchange.ts'
import { portalExamples } from './portal.ts'
import { reminderExamples } from './reminders.ts'
import { replyExamples } from './replies.ts'

export const stageExamples = {
  ...reminderExamples,
  ...replyExamples,
  ...arrivalExamples,
  ...assetExamples,
  ...portalExamples,
}
