/** Child process that reads tables to import, so that a malformed file can exhaust only this process and its limits. */
import { answerJobs } from '../../platform/processes/parsers.ts'
import { readTable } from './read-file.ts'
import type { FileHead, TableJob } from './read-file.ts'

answerJobs<TableJob, FileHead>('table', readTable)
