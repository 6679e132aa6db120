/** Child process that reads files of returns, so that a malformed file can exhaust only this process and its limits. */
import { answerJobs } from '../../../platform/processes/parsers.ts'
import { readReturnFile } from './read.ts'
import type { ReadFile } from './read.ts'

answerJobs<{ bytes: Uint8Array }, ReadFile>('return', ({ bytes }) => readReturnFile(bytes))
