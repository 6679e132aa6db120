/** Makes the file of a company in a thread of its own, so that the server goes on answering. */
import { tmpdir } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { ErrorCode } from '../../../domain/errors/catalog.ts'
import type { Bucket } from '../../../db/postgres/objects/bucket.ts'
import { endThread, startThread, workerFile } from '../../../platform/processes/threads.ts'
import type { HandedBack } from '../transfer/index.ts'

const HEAP_MB = 512

interface ThreadFault {
  code: ErrorCode
  details?: Record<string, unknown> | undefined
  retryAfterSeconds?: number | undefined
}

export interface HandBackJob {
  office: { url: string; masterKey: Uint8Array; name: string; inRowAtMost: number | undefined }
  hasBucket: boolean
  company: string
  code: string
  to: string
  /** Folder for what is put together. */
  folder: string
  version: string
  /** Milliseconds since 1970. */
  at: number
}

/** A question for an object, or the end. */
export type ThreadReply =
  | { object: number; key: string }
  | { done: HandedBack }
  | { fault: ThreadFault }
  | { failed: string }

/** The answer to a question; `bytes` is null if there is no such object. */
export interface ObjectAnswer {
  object: number
  bytes: Uint8Array | null
  fault?: ThreadFault
}

async function answerObject(worker: Worker, bucket: Bucket, object: number, key: string): Promise<void> {
  let answer: ObjectAnswer
  try {
    answer = { object, bytes: await bucket.get(key) }
  } catch (error) {
    const { code, details, retryAfterSeconds } =
      error instanceof AppError ? error : new AppError('file_storage_unavailable', { cause: error })
    answer = { object, bytes: null, fault: { code, details, retryAfterSeconds } }
  }
  worker.postMessage(answer)
}

/** Hands a company back in a thread. Throws what `handBackCompany` does. */
export async function handBackInThread(
  job: Omit<HandBackJob, 'folder' | 'hasBucket'>,
  bucket: Bucket | undefined,
): Promise<HandedBack> {
  const worker = startThread(
    'office-copy',
    workerFile('office-copy', import.meta.url),
    { ...job, hasBucket: bucket !== undefined, folder: tmpdir() } satisfies HandBackJob,
    // How the database is reached can be in the environment.
    { heapMb: HEAP_MB, environment: process.env },
  )
  try {
    return await new Promise<HandedBack>((resolve, reject) => {
      worker.on('message', (reply: ThreadReply) => {
        if ('done' in reply) resolve(reply.done)
        else if ('fault' in reply) reject(new AppError(reply.fault.code, reply.fault))
        else if ('failed' in reply) reject(new Error(reply.failed))
        else if (bucket) void answerObject(worker, bucket, reply.object, reply.key)
      })
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The thread ended.')))
    })
  } finally {
    void endThread(worker)
  }
}
