/** Opens a certificate file in a process of its own, with limits of time and memory. */
import { AppError } from '../../domain/errors/app-error.ts'
import { parse, ParserFailure } from '../../platform/processes/parsers.ts'
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
 * Opens a .p12 or .pfx file. Throws `certificate_password`, or `certificate_invalid` with `details.why`, also for a
 * file that needs more time or memory than any genuine one.
 */
export async function openCertificateFile(
  file: Uint8Array,
  password: string,
  now: Date,
  { timeoutMs = TIMEOUT_MS, workerUrl }: OpenLimits = {},
): Promise<OpenedCertificate> {
  if (file.length > MAX_FILE_BYTES) throw invalid('too_large')
  const job: OpenJob = { file: new Uint8Array(file), password, now: now.getTime() }
  try {
    // The process is never reused: no other file may run in memory that held a key.
    return openedOf(
      await parse<OpenJob, OpenReply>('certificate', job, {
        from: import.meta.url,
        file: workerUrl,
        timeoutMs,
        single: true,
      }),
    )
  } catch (error) {
    if (error instanceof ParserFailure) throw invalid(error.why === 'broken' ? 'unreadable' : error.why)
    throw error
  } finally {
    job.file.fill(0)
  }
}
