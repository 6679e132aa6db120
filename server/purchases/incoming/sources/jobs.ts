/** What runs on a desk: the mailboxes, the folders, and the end of what is open for a phone or a browser. */
import type { AppEnvironment } from '../../../context.ts'
import type { Background } from '../../../domain/concurrency/background-loop.ts'
import { createFolderJobs } from './folder/watch.ts'
import { createMailboxJobs } from './mailbox/jobs.ts'
import { endSignIn } from './mailbox/sign-in.ts'
import { endPhone } from './phone/session.ts'

/** Creates the jobs of a desk. */
export function createSourceJobs(options: { env: AppEnvironment; log: (line: string) => void }): Background {
  const { env } = options
  const all = [createMailboxJobs(options), createFolderJobs(options)]
  return {
    wake() {
      for (const one of all) one.wake()
    },
    async stop() {
      endPhone(env, 'window')
      endSignIn(env)
      await Promise.all(all.map((one) => one.stop()))
    },
  }
}
