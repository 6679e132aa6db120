/** The webhook receiver, in process: it records its accepted messages, and behaves as configured. */
import { HttpClientFault } from '../../../server/platform/http-client/exchange.ts'
import type { exchange } from '../../../server/platform/http-client/exchange.ts'
import { MINUTE } from './surroundings.ts'
import type { Surroundings } from './surroundings.ts'

export const MOODS = ['takes', 'fails', 'hangs', 'loses_reply', 'full', 'fitful', 'redirects'] as const
type Mood = (typeof MOODS)[number]

export class MockReceiver {
  /** Identifiers of accepted messages, whether their answer arrived or not. */
  readonly taken = new Set<string>()
  mood: Mood = 'takes'
  private readonly around: Surroundings

  constructor(around: Surroundings) {
    this.around = around
  }

  readonly exchange: typeof exchange = (_aim, attempt) => {
    const mood = this.mood === 'fitful' ? this.around.dice.pick(MOODS) : this.mood
    const { heard } = attempt
    const answer = (status: number, headers: Record<string, string> = {}) => {
      Object.assign(heard, { status, headers })
      return Promise.resolve({ status, headers, body: Buffer.alloc(0) })
    }
    switch (mood) {
      case 'takes':
      case 'fitful':
        this.taken.add(attempt.headers['webhook-id'] ?? '')
        return answer(204)
      case 'loses_reply':
        this.taken.add(attempt.headers['webhook-id'] ?? '')
        return Promise.reject(new HttpClientFault('unavailable', 'connection'))
      case 'hangs':
        this.around.time += MINUTE / 3
        return Promise.reject(new HttpClientFault('unavailable', 'timeout'))
      case 'full':
        return answer(503, { 'retry-after': '120' })
      case 'redirects':
        return answer(307, { location: 'http://127.0.0.1:9/' })
      case 'fails':
        return answer(500)
    }
  }
}
