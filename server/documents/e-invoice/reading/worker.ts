/** Child process that reads documents of the platform, so that a malformed one can exhaust only this process. */
import { answerJobs } from '../../../platform/processes/parsers.ts'
import { readDocument } from './read.ts'
import type { PlatformFile, ReadingJob } from './read.ts'

answerJobs<ReadingJob, PlatformFile | null>('exchange', readDocument)
