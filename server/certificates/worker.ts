/** The thread that opens one certificate file: whatever its bytes do, they do it here, under limits, and it ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { FileFault, PasswordFault } from './fault.ts'
import type { FileFaultReason } from './fault.ts'
import { openFile } from './opened.ts'
import type { OpenedCertificate } from './opened.ts'

export interface OpenJob {
  /** Tells this thread from others that may load the file. */
  thread: typeof CERTIFICATE_THREAD
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

export const CERTIFICATE_THREAD = 'certificate'

function answer({ file, password, now }: OpenJob): OpenReply {
  try {
    return { opened: openFile(Buffer.from(file), password, new Date(now)) }
  } catch (error) {
    if (error instanceof PasswordFault) return { fault: 'password' }
    // A bug of ours in here is a file that cannot be read, to whoever waits for it.
    return { fault: 'file', why: error instanceof FileFault ? error.why : 'unreadable' }
  }
}

const job = workerData as Partial<OpenJob> | null
if (parentPort !== null && job?.thread === CERTIFICATE_THREAD) parentPort.postMessage(answer(job as OpenJob))
