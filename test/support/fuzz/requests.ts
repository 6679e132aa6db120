/** Requests generated from the published document: valid examples, any valid input, and invalid input. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { Dice } from '../seeded-random.ts'
import { exampleOf } from '../examples/index.ts'
import type { Example, Furnished } from '../examples/index.ts'
import { PORT } from '../world.ts'
import type { DescribedOperation, Description, Parameter } from './described.ts'
import { Drawer } from './drawn.ts'
import type { Schema } from './drawn.ts'
import type { Seen } from './seen.ts'
import { broken, ODD_HEADERS, ODD_IDS, ODD_KEYS, ODD_TYPES, ODD_VALUES, spoilt, written } from './spoil.ts'
import { WHOLE_BODIES } from './whole-bodies.ts'
import type { Sent } from './wire.ts'

/**
 * `example`: valid unchanged. `drawn`: any valid input. `mixed`: an example with some members regenerated. `spoilt`:
 * with an invalid part. `mangled`: hard to parse at all.
 */
export type Kind = 'example' | 'drawn' | 'mixed' | 'spoilt' | 'mangled'

/** Frequency of each kind, out of twenty. */
const SHARES: Readonly<Record<Kind, number>> = { example: 5, drawn: 5, mixed: 3, spoilt: 5, mangled: 2 }
const KINDS = Object.entries(SHARES).flatMap(([kind, share]) => Array<Kind>(share).fill(kind as Kind))

/** Node reads 16 KiB of headers including the address, and answers longer ones by itself. */
const LONGEST_PAIR = 4_000
const ODD_FIELDS = ['a[b]', 'extra', '', 'a.b', '%00', '__proto__']

export class Requests {
  /** Examples that could not be created, and the reasons. */
  readonly unmade: string[] = []
  private readonly description: Description
  private readonly made: Furnished
  private readonly random: Dice
  private readonly seen: Seen
  private readonly drawer: Drawer
  private readonly examples = new Map<string, Example>()

  constructor(description: Description, made: Furnished, random: Dice, seen: Seen) {
    this.description = description
    this.made = made
    this.random = random
    this.seen = seen
    this.drawer = new Drawer({
      random,
      resolve: (reference) => description.resolve(reference) as Schema,
      known: (name) => seen.of(name),
      admits: (schema, value) => description.objection(schema, value) === null,
    })
  }

  /** Returns the next request to an operation, without credentials. */
  async next(operation: DescribedOperation): Promise<{ kind: Kind; sent: Sent }> {
    const kind = this.random.pick(KINDS)
    const example = await this.example(operation, kind)
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      this.inPath(name, operation, example, kind),
    )
    const pairs = this.query(operation, example, kind)
    const url = pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
    const payload = this.payload(operation, example, kind)
    const headers = this.headers(operation, kind, payload !== undefined)
    return { kind, sent: { method: operation.method, url, headers, payload } }
  }

  /** Returns the document's objection to a readable request; null if valid. */
  objection({ method, parameters, body }: DescribedOperation, { url, payload }: Sent): string | null {
    const [, search = ''] = url.split('?')
    for (const pair of search.split('&').filter(Boolean)) {
      const [name = '', ...rest] = pair.split('=')
      const described = parameters.find((one) => one.in === 'query' && one.name === name)
      if (!described) return `${pair} is not described`
      const text = decoded(rest.join('='))
      const value = text === null ? null : typed(text, this.drawer.whole(described.schema))
      const objection = value === null ? null : this.description.objection(described.schema, value)
      if (objection) return `${pair} ${objection}`
    }
    if (method === 'GET' || payload === undefined || payload.length === 0) return null
    if (!body) return 'no body is described'
    return this.description.objection(body.schema, JSON.parse(payload.toString()))
  }

  /** Returns a valid request, recreated occasionally: earlier requests may have deleted or settled its objects. */
  private async example({ id, method, scope }: DescribedOperation, kind: Kind): Promise<Example> {
    if (scope === null) return {}
    const known = this.examples.get(id)
    const share = kind === 'example' && method !== 'GET' ? 0.5 : 0.15
    if (known && !this.random.chance(share)) return known
    const example = await exampleOf(id.replace('_', '.'), this.made).catch((error: Error) => error)
    // Earlier requests may have made its prerequisites impossible.
    if (example instanceof Error) {
      this.unmade.push(`${id}: ${example.message.slice(0, 300)}`)
      return known ?? {}
    }
    this.examples.set(id, example)
    this.seen.learn([example.query, example.body])
    for (const identifier of Object.values(example.params ?? {})) this.seen.learn(identifier, 'id')
    return example
  }

  private inPath(name: string, { parameters }: DescribedOperation, example: Example, kind: Kind): string {
    const { chance, pick } = this.random
    const own = example.params?.[name] ?? 'nothing'
    if (kind === 'example' || kind === 'mixed' || chance(0.5)) return encodeURIComponent(own)
    if (kind !== 'drawn' && chance(0.5)) return pick(ODD_IDS)
    const others = this.seen.like(own)
    if (others.length > 0 && chance(0.5)) return pick(others)
    const { schema } = parameters.find((one) => one.in === 'path' && one.name === name) as Parameter
    // Clients that normalize paths change a path of dots.
    return encodeURIComponent(String(this.drawer.draw(schema, name)).replace(/^\.+$/, 'dots'))
  }

  /** Returns the escaped pairs of the query. */
  private query({ parameters }: DescribedOperation, example: Example, kind: Kind): string[] {
    const { below, chance, pick } = this.random
    const described = parameters.filter((one) => one.in === 'query')
    const values = new Map(Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]))
    const share = kind === 'drawn' ? pick([0.1, 0.3, 0.7]) : 0.2
    if (kind === 'drawn') values.clear()
    if (kind !== 'example')
      for (const { name, required, schema } of described)
        if ((kind === 'drawn' && required) || chance(share))
          values.set(name, String(this.drawer.draw(schema, name)))
    const pairs = [...values]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .filter(({ length }) => length <= LONGEST_PAIR)
    if (kind !== 'spoilt' && kind !== 'mangled') return pairs
    for (let times = below(3); times > 0; times -= 1) {
      if (pairs.length > 0 && chance(0.2)) pairs.splice(below(pairs.length), 1)
      const parameter = described.length > 0 && chance(0.8) ? pick(described) : null
      const value =
        parameter && chance(0.4)
          ? encodeURIComponent(String(this.drawer.beyond(parameter.schema))).slice(0, LONGEST_PAIR)
          : pick(ODD_VALUES)
      pairs.push(`${parameter?.name ?? pick(ODD_FIELDS)}=${value}`)
    }
    return pairs
  }

  private payload(
    { id, method, body }: DescribedOperation,
    example: Example,
    kind: Kind,
  ): string | Buffer | undefined {
    const { chance } = this.random
    // If no body is described, one is rejected.
    if (!body)
      return kind === 'mangled' && method !== 'GET' && chance(0.2) ? broken({}, this.random) : undefined
    const good = (chance(0.4) ? WHOLE_BODIES[id] : undefined) ?? example.body ?? {}
    switch (kind) {
      case 'example':
        return example.body && written(example.body)
      case 'drawn': {
        const value = this.drawer.draw(body.schema)
        const objection = this.description.objection(body.schema, value)
        if (objection)
          throw new Error(`${id}: what was drawn is not admitted: ${objection} ${written(value)}`)
        return written(value)
      }
      case 'mixed': {
        const drawn = Object.entries(this.drawer.draw(body.schema) as object)
        const others = drawn.filter(([name]) => chance(name in good ? 0.1 : 0.4))
        return written({ ...good, ...Object.fromEntries(others) })
      }
      case 'spoilt': {
        const whole = chance(0.6) ? good : (this.drawer.draw(body.schema) as object)
        return written(spoilt(whole, body.schema, this.drawer, this.random))
      }
      case 'mangled':
        return chance(0.7) ? broken(good, this.random) : written(good)
    }
  }

  private headers({ parameters }: DescribedOperation, kind: Kind, hasPayload: boolean): OutgoingHttpHeaders {
    const { chance, pick } = this.random
    const headers: OutgoingHttpHeaders = { host: `127.0.0.1:${PORT}` }
    if (hasPayload)
      headers['content-type'] =
        kind === 'mangled' && chance(0.3)
          ? pick(ODD_TYPES)
          : pick(['application/json', 'application/json', 'application/json; charset=utf-8'])
    if (kind === 'example') return headers
    for (const { name, in: place, schema } of parameters)
      if (place === 'header' && chance(0.2))
        headers[name] =
          kind === 'mangled'
            ? pick(ODD_KEYS)
            : // Node sends only these characters.
              String(this.drawer.draw(schema, name)).replace(/[^\x20-\x7e\xa0-\xff]/g, '?')
    return kind === 'mangled' && chance(0.4) ? { ...headers, ...pick(ODD_HEADERS) } : headers
  }
}

/** Decodes a part of an address; null if invalid. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** Converts text of an address to the schema's type, if possible. */
function typed(text: string, { type }: Schema): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}
