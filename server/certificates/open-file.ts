/** Opens a certificate file on a thread of its own, with a limit of time and of memory. */
import { AppError } from '../core/errors.ts'
import { endThread, ranOutOfMemory, startThread, threadFile } from '../core/threads.ts'
import type { FileFaultReason } from './fault.ts'
import type { OpenedCertificate } from './opened.ts'
import type { OpenJob, OpenReply } from './worker.ts'

export interface OpenLimits {
  timeoutMs?: number
  workerUrl?: URL
}

const TIMEOUT_MS = 5_000
const MAX_FILE_BYTES = 100_000

function invalid(why: FileFaultReason): AppError {
  return new AppError('certificate_invalid', { field: 'file', details: { why } })
}

function openedOf(reply: OpenReply): OpenedCertificate {
  if ('opened' in reply) return reply.opened
  throw reply.fault === 'password'
    ? new AppError('certificate_password', { field: 'password' })
    : invalid(reply.why)
}

/**
 * Opens a .p12 or .pfx file. Throws `certificate_password`, or `certificate_invalid` with `details.why`: also for a file
 * that takes longer or needs more memory than any honest one.
 */
export async function openCertificateFile(
  file: Uint8Array,
  password: string,
  now: Date,
  { timeoutMs = TIMEOUT_MS, workerUrl = threadFile('certificate', import.meta.url) }: OpenLimits = {},
): Promise<OpenedCertificate> {
  if (file.length > MAX_FILE_BYTES) throw invalid('too_large')
  const job: OpenJob = { file: new Uint8Array(file), password, now: now.getTime() }
  const worker = startThread('certificate', workerUrl, job, { heapMb: 64, youngMb: 16 })
  let timer: NodeJS.Timeout | undefined
  try {
    const reply = await new Promise<OpenReply>((resolve, reject) => {
      timer = setTimeout(() => reject(invalid('too_slow')), timeoutMs)
      worker.once('message', resolve)
      worker.once('error', (error) => reject(ranOutOfMemory(error) ? invalid('too_large') : error))
      worker.once('exit', () => reject(invalid('unreadable')))
    })
    return openedOf(reply)
  } finally {
    clearTimeout(timer)
    // Not waited for: a derivation under way ends when it ends, and the answer is known.
    void endThread(worker)
    job.file.fill(0)
  }
}
