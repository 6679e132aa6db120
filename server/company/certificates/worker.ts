/** The process that opens one certificate file: whatever its bytes do, they do it here, under limits, and it ends. */
import { answerJobs } from '../../platform/processes/parsers.ts'
import { FileFault, PasswordFault } from './fault.ts'
import type { FileFaultReason } from './fault.ts'
import { openFile } from './opened.ts'
import type { OpenedCertificate } from './opened.ts'

export interface OpenJob {
  file: Uint8Array
  password: string
  /** Milliseconds. */
  now: number
}

/** What was found, or why it is of no use; never an error's text, which could quote the file. */
export type OpenReply =
  | { opened: OpenedCertificate }
  | { fault: 'password' }
  | { fault: 'file'; why: FileFaultReason }

function answer({ file, password, now }: OpenJob): OpenReply {
  try {
    return { opened: openFile(Buffer.from(file), password, new Date(now)) }
  } catch (error) {
    if (error instanceof PasswordFault) return { fault: 'password' }
    // A bug of ours in here is a file that cannot be read, to whoever waits for it.
    return { fault: 'file', why: error instanceof FileFault ? error.why : 'unreadable' }
  }
}

answerJobs('certificate', answer)
