/** The process that reads tables to import: whatever their bytes do, they do it here, under limits. */
import { answerJobs } from '../../platform/processes/parsers.ts'
import { readTable } from './read-file.ts'
import type { FileHead, TableJob } from './read-file.ts'

answerJobs<TableJob, FileHead>('table', readTable)
