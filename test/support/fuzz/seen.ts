/** What requests and answers named so far, so that a later request can speak of things that are there. */
import type { Dice } from '../seeded-random.ts'

const MOST_OF_A_NAME = 40
const LONGEST = 400
const MOST_MEMBERS = 60
const OF_THIS_COMPUTER = /^https?:\/\/(?:localhost|127\.|\[::1\])/
const IDENTIFIER = /^[a-z]{3,4}_[0-9a-z]{16}$/

const prefixOf = (identifier: string): string => identifier.slice(0, identifier.indexOf('_') + 1)

export class Seen {
  /** Identifiers that no request may name: of what is needed to the end, and of what would have the server ask elsewhere. */
  readonly unnamed = new Set<string>()
  private readonly byName = new Map<string, unknown[]>()
  private readonly random: Dice

  constructor(random: Dice) {
    this.random = random
  }

  /** Values that stood under a member's name. */
  of(name: string): readonly unknown[] {
    return this.byName.get(name) ?? []
  }

  /** Identifiers of the same kind of thing. */
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
