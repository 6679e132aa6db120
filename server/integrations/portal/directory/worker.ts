/** Child process that reads files of the public directory, so that a malformed one can exhaust only this process. */
import { answerJobs } from '../../../platform/processes/parsers.ts'
import { readDirectory } from './parse.ts'
import type { DirectoryJob, DirectoryReply } from './parse.ts'

answerJobs<DirectoryJob, DirectoryReply>('directory', readDirectory)
