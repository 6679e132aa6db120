/** Identifiers and values in earlier requests and answers, so that later requests can refer to existing objects. */
import type { Dice } from '../seeded-random.ts'

const MOST_OF_A_NAME = 40
const LONGEST = 400
const MOST_MEMBERS = 60
const OF_THIS_COMPUTER = /^https?:\/\/(?:localhost|127\.|\[::1\])/
const IDENTIFIER = /^[a-z]{3,4}_[0-9a-z]{16}$/

const prefixOf = (identifier: string): string => identifier.slice(0, identifier.indexOf('_') + 1)

export class Seen {
  /** Identifiers that no request may use: objects needed to the end, and those that would cause external calls. */
  readonly unnamed = new Set<string>()
  private readonly byName = new Map<string, unknown[]>()
  private readonly random: Dice

  constructor(random: Dice) {
    this.random = random
  }

  /** Returns the values seen under a member's name. */
  of(name: string): readonly unknown[] {
    return this.byName.get(name) ?? []
  }

  /** Returns identifiers of the same kind of object. */
  like(identifier: string): readonly string[] {
    return this.of(prefixOf(identifier)) as string[]
  }

  learn(value: unknown, name = ''): void {
    if (typeof value === 'object' && value !== null) {
      const { id, url } = value as { id?: unknown; url?: unknown }
      if (typeof url === 'string' && !OF_THIS_COMPUTER.test(url)) {
        if (typeof id === 'string') this.unnamed.add(id)
        return
      }
      for (const [member, inner] of Object.entries(value).slice(0, MOST_MEMBERS))
        this.learn(inner, Array.isArray(value) ? name : member)
      return
    }
    const text = typeof value === 'string' && value.length <= LONGEST
    if ((!text && typeof value !== 'number') || this.unnamed.has(String(value))) return
    this.keep(name, value)
    if (name === 'nextCursor') this.keep('cursor', value)
    if (IDENTIFIER.test(String(value))) this.keep(prefixOf(String(value)), value)
  }

  private keep(name: string, value: unknown): void {
    const values = this.byName.get(name) ?? []
    this.byName.set(name, values)
    if (values.length < MOST_OF_A_NAME) values.push(value)
    else values[this.random.below(MOST_OF_A_NAME)] = value
  }
}
