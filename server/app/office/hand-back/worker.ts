/**
 * Worker thread that makes the file of a company: creating, filling and verifying a store is work without pauses, during
 * which the server would answer nobody. Documents outside the database are read by the server, which has the bucket.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Bucket } from '../../../db/postgres/objects/bucket.ts'
import { onThreadMessage, ownThread } from '../../../platform/processes/threads.ts'
import { handBackCompany } from '../transfer/index.ts'
import type { HandBackJob, ObjectAnswer, ThreadReply } from './thread.ts'

/** Returns a bucket that the other side of the port reads. */
function bucketBehind(ask: (key: string) => Promise<Buffer | null>): Bucket {
  const none = (): Promise<never> => Promise.reject(new Error('A company that is handed back is only read.'))
  return { get: ask, put: none, list: none, remove: none, removeVersions: none, close: () => {} }
}

const own = ownThread<HandBackJob>('office-copy')
if (own) {
  const { port, given } = own
  const { company, code, to, folder, version, at, hasBucket, office } = given
  const say = (reply: ThreadReply): void => port.postMessage(reply)
  const waiting = new Map<number, PromiseWithResolvers<Buffer | null>>()
  let asked = 0
  const bucket = bucketBehind((key) => {
    const answer = Promise.withResolvers<Buffer | null>()
    waiting.set(++asked, answer)
    say({ object: asked, key })
    return answer.promise
  })
  onThreadMessage<ObjectAnswer>(port, ({ object, bytes, fault }) => {
    const answer = waiting.get(object)
    waiting.delete(object)
    if (fault) answer?.reject(new AppError(fault.code, fault))
    else answer?.resolve(bytes && Buffer.from(bytes))
  })
  const masterKey = Buffer.from(office.masterKey)
  office.masterKey.fill(0)
  void handBackCompany({
    office: {
      ...office,
      masterKey,
      isPooled: true,
      ...(hasBucket ? { openBucket: async () => bucket } : {}),
    },
    company,
    code,
    to,
    folder,
    version,
    // Only what describes operations asks for them.
    loadContracts: () => Promise.reject(new Error('The operations of a copy are not described.')),
    // One moment for all of the file.
    now: () => new Date(at),
  })
    .then(
      (done) => say({ done }),
      (error: unknown) => {
        if (!(error instanceof AppError)) return say({ failed: String((error as Error).stack ?? error) })
        const { code: fault, details, retryAfterSeconds } = error
        say({ fault: { code: fault, details, retryAfterSeconds } })
      },
    )
    .finally(() => masterKey.fill(0))
}
