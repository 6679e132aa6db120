/** The process that reads another program's trial balance: whatever the file does, it does it here, under limits. */
import { answerJobs } from '../../../platform/processes/parsers.ts'
import { readBalances } from './opening-file.ts'
import type { ReadBalances } from './opening-file.ts'

answerJobs<string, ReadBalances>('opening', readBalances)
