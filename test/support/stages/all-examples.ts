/** The examples that have files of their own, by operation. */
import { assetExamples } from './asset-examples.ts'
import { arrivalExamples } from './exchange-examples.ts'
import { portalExamples } from './portal-examples.ts'
import { reminderExamples } from './reminder-examples.ts'
import { replyExamples } from './reply-examples.ts'

export const stageExamples = {
  ...reminderExamples,
  ...replyExamples,
  ...arrivalExamples,
  ...assetExamples,
  ...portalExamples,
}
