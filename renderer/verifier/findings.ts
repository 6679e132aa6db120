/** Collects the findings of one check, and yields to other tasks meanwhile. */
import type { CheckId, Fault, Message, Verdict } from './model.ts'

export type Report = (message: Message) => void

/** The first ones suffice to locate the fault. */
const FAULTS_TOLD = 20
const PAUSE_EVERY_MS = 40

export class Findings {
  readonly faults: Fault[] = []
  private readonly check: CheckId
  private readonly tell: Report
  private count = 0
  private pausedAt = performance.now()
  looked = 0

  constructor(check: CheckId, tell: Report) {
    this.check = check
    this.tell = tell
    tell({ kind: 'progress', check, done: 0, total: 0 })
  }

  add(code: string, place: string, detail?: string): void {
    this.count += 1
    if (this.faults.length < FAULTS_TOLD)
      this.faults.push({ code, place, ...(detail === undefined ? {} : { detail }) })
  }

  /** Counts one more checked item; from time to time reports the progress and yields. */
  async step(done: number, total: number): Promise<void> {
    if (performance.now() - this.pausedAt < PAUSE_EVERY_MS) return
    this.tell({ kind: 'progress', check: this.check, done, total })
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.pausedAt = performance.now()
  }

  end(isThere = true): void {
    const { check, faults, looked } = this
    const state: Verdict['state'] = this.count > 0 ? 'wrong' : isThere ? 'ok' : 'absent'
    this.tell({
      kind: 'verdict',
      verdict: { check, state, looked, faults, more: this.count - faults.length },
    })
  }
}

/** SHA-256 in lower-case hex. */
export async function sha256(data: Uint8Array<ArrayBuffer>): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', data)))
}

export function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/** Parses a list with one JSON value per line; `null` for an invalid line. */
export function membersOf<Item>(text: string): (Item | null)[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''))
    .filter((line) => line !== '' && line !== '[' && line !== ']' && line !== '[]')
    .map((line) => {
      try {
        return JSON.parse(line) as Item
      } catch {
        return null
      }
    })
}
