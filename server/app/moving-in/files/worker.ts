/** Child process that reads files of earlier programs, so that a malformed file can exhaust only this process and its limits. */
import { answerJobs } from '../../../platform/processes/parsers.ts'
import { answerFilesJob } from './read.ts'
import type { FilesJob } from './read.ts'
import type { HistorySummary, RecognizedFile, RowsSummary } from './types.ts'

answerJobs<FilesJob, RecognizedFile | HistorySummary | RowsSummary>('history', answerFilesJob)
