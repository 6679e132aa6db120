/** Runs a program of the benchmark in its own process: one message per request, one per answer. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'

type Reply<Answer> = { answer: Answer } | { error: string }

export class Child<Job, Answer> {
  private readonly child: ChildProcess

  /** Starts a file of this folder, which must call `answer`. */
  constructor(file: string) {
    this.child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  }

  /** Sends one job after another. A program that ends without answering is an error. */
  ask(job: Job): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void =>
        reject(new Error(`A program of the run ended with ${code}.`))
      this.child.once('exit', ended)
      this.child.once('message', (reply) => {
        this.child.off('exit', ended)
        const told = reply as Reply<Answer>
        if ('error' in told) reject(new Error(told.error))
        else resolve(told.answer)
      })
      this.child.send(job as object)
    })
  }

  /** Waits until the process has ended by itself. */
  close(): Promise<void> {
    if (this.child.exitCode !== null) return Promise.resolve()
    return new Promise((resolve) => {
      this.child.once('exit', () => resolve())
      this.child.disconnect()
    })
  }
}

/** Runs in the child: answers every job, and ends when the parent is gone. */
export function answer<Job, Answer>(
  work: (job: Job) => Promise<Answer>,
  close: () => Promise<void> = async () => {},
): void {
  process.on('message', (job: Job) => {
    work(job).then(
      (answered) => process.send?.({ answer: answered }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    )
  })
  process.on('disconnect', () => void close().finally(() => process.exit()))
}
