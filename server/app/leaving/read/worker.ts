/** Child process that reads archives, so that a malformed one can exhaust only this process and its limits. */
import { answerJobs } from '../../../platform/processes/parsers.ts'
import { answerArchiveJob } from './read.ts'
import type { ArchiveJob, ArchiveReply } from './types.ts'

answerJobs<ArchiveJob, ArchiveReply>('archive', answerArchiveJob)
