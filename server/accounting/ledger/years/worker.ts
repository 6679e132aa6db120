/**
 * Child process that reads another program's trial balance, so that a malformed file can exhaust only this process
 * and its limits.
 */
import { answerJobs } from '../../../platform/processes/parsers.ts'
import { readBalances } from './opening-file.ts'
import type { ReadBalances } from './opening-file.ts'

answerJobs<string, ReadBalances>('opening', readBalances)
