/** Process that opens one certificate file: it runs the untrusted bytes under limits, and then ends. */
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

/** Content of the file, or why it cannot be used; never an error's text, which could quote the file. */
export type OpenReply =
  | { opened: OpenedCertificate }
  | { fault: 'password' }
  | { fault: 'file'; why: FileFaultReason }

function answer({ file, password, now }: OpenJob): OpenReply {
  try {
    return { opened: openFile(Buffer.from(file), password, new Date(now)) }
  } catch (error) {
    if (error instanceof PasswordFault) return { fault: 'password' }
    // To the caller, a bug in this code is an unreadable file.
    return { fault: 'file', why: error instanceof FileFault ? error.why : 'unreadable' }
  }
}

answerJobs('certificate', answer)
