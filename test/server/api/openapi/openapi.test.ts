/** The OpenAPI document: valid, complete, and equal to the one printed in docs/. */
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { generate } from '../../../../build/generated/docs.ts'
import { loadContracts } from '../../../../server/api/operations.ts'
import { EVENTS } from '../../../../server/platform/events/contract.ts'
import { ERRORS } from '../../../../server/domain/errors/catalog.ts'
import { openApiDocument } from '../../../../server/api/openapi/openapi.ts'
import words from '../../../../server/api/openapi/descriptions.json' with { type: 'json' }
import { WEBHOOK_TYPES } from '../../../../server/platform/webhooks/event-types.ts'
import { openWorld } from '../../../support/world.ts'

const all = await loadContracts()
const document: any = openApiDocument('9.9.9', all, EVENTS)

/** Returns a schema, or the component to which it refers. */
function resolved(schema: any): any {
  const name = schema?.$ref?.slice('#/components/schemas/'.length)
  return (name === undefined ? schema : document.components.schemas[name]) ?? {}
}

test('the document is valid OpenAPI 3.1 and every reference resolves', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
  expect(validator.version).toBe('3.1')
  for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer.split('/').reduce((place: any, part) => place?.[part], document)
    expect(target, pointer).toBeDefined()
  }
})

test('every operation with a route is included, with its scope, errors and input in the right place', () => {
  for (const contract of all) {
    const { rest } = contract
    if (!rest) continue
    const operation =
      document.paths[`/api/v1${rest.path.replace(/:(\w+)/g, '{$1}')}`]?.[rest.method.toLowerCase()]
    expect(operation, contract.name).toBeDefined()
    expect(operation['x-scope']).toBe(contract.access)
    for (const code of contract.errors) {
      const { $ref } = operation.responses[String(ERRORS[code].status)]
      const response = document.components.responses[$ref.slice('#/components/responses/'.length)]
      expect(JSON.stringify(response), `${contract.name} ${code}`).toContain(`"${code}"`)
    }
    const places = (operation.parameters ?? []).map(
      (parameter: { in?: string; $ref?: string }) => parameter.in ?? parameter.$ref,
    )
    const inPath = (operation.parameters ?? [])
      .filter((parameter: { in?: string }) => parameter.in === 'path')
      .map((parameter: { name: string }) => parameter.name)
    expect(inPath, contract.name).toEqual([...rest.path.matchAll(/:(\w+)/g)].map((match) => match[1]))
    const takesKey = rest.method === 'POST' || rest.method === 'DELETE'
    expect(places.includes('#/components/parameters/IdempotencyKey'), contract.name).toBe(takesKey)
    expect(operation.requestBody !== undefined, contract.name).toBe(
      (rest.method === 'POST' && rest.fields !== 'query') || rest.method === 'PATCH',
    )
    const { properties = {} } = resolved(operation.requestBody?.content['application/json'].schema)
    for (const name of inPath) expect(Object.keys(properties), contract.name).not.toContain(name)
  }
})

/** Returns the names of members of a schema, at any depth, without a description. */
function untold(value: any, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.entries<any>(value.properties ?? {}).flatMap(([name, schema]) =>
    schema.description || schema.$ref ? [] : [`${path}.${name}`],
  )
  const isParameter = typeof value.in === 'string' && typeof value.name === 'string'
  if (isParameter && !value.description) own.push(`${path}?${value.name as string}`)
  const within = Object.entries<any>(value).filter(([name]) => !['example', 'examples'].includes(name))
  return [...own, ...within.flatMap(([name, member]) => untold(member, `${path}/${name}`))]
}

test('every property and every parameter is described, by its own text or that of its name', () => {
  expect(untold(document.paths, '')).toEqual([])
  expect(untold(document.webhooks, '')).toEqual([])
  expect(untold(document.components.schemas, '')).toEqual([])
  const used = JSON.stringify(document)
  for (const [name, text] of Object.entries(words))
    expect(used, name).toContain(JSON.stringify(text).slice(1, -1))
})

test('an interactive page fills in no optional parameter', () => {
  for (const [path, methods] of Object.entries<Record<string, any>>(document.paths))
    for (const { parameters = [] } of Object.values(methods))
      for (const { name, required, example, schema } of parameters)
        if (required === false)
          expect([example, schema?.default, schema?.example], `${path} ${name as string}`).toEqual([
            undefined,
            undefined,
            undefined,
          ])
})

test('creating, changing and reading one object return the same shape, with at most warnings beside it', () => {
  const answered = (method: any): string[] | null => {
    const { responses } = method ?? {}
    const schema = (responses?.['200'] ?? responses?.['201'])?.content?.['application/json']?.schema
    const data = resolved(resolved(schema).properties?.data)
    return data.properties ? Object.keys(data.properties) : null
  }
  for (const path of ['contacts', 'items', 'invoices', 'received-invoices', 'quotes', 'webhooks']) {
    const one = document.paths[`/api/v1/${path}/{id}`]
    const got = answered(one.get)
    for (const method of [document.paths[`/api/v1/${path}`].post, one.patch]) {
      const made = answered(method)?.filter((name) => !['warnings', 'secret'].includes(name))
      expect(made?.length, path).toBeGreaterThan(3)
      expect(got, path).toEqual(expect.arrayContaining(made ?? []))
    }
  }
})

test('every operation belongs to a section of the reference, and has its own description', () => {
  const parts = new Set(document.tags.map((tag: { name: string }) => tag.name))
  const summaries = new Map<string, string>()
  for (const path of Object.values<Record<string, any>>(document.paths))
    for (const { operationId, summary, description, tags } of Object.values(path)) {
      expect(tags, operationId).toHaveLength(1)
      expect(parts, operationId).toContain(tags[0])
      expect(summary, operationId).toMatch(/^[A-Z].{6,}\.$/)
      expect(summaries.get(summary), `${operationId} says the same`).toBeUndefined()
      summaries.set(summary, operationId)
      if (operationId !== 'health') expect(description, operationId).toContain('Scope:')
    }
  const used = Object.values<Record<string, any>>(document.paths).flatMap((path) =>
    Object.values(path).flatMap(({ tags }) => tags as string[]),
  )
  for (const part of parts) expect(used, String(part)).toContain(part)
})

test('files are described with all their types, and only rendered ones as delayed or signed', () => {
  for (const { name, rest, media, otherMedia } of all) {
    if (!rest || !media) continue
    const { responses } =
      document.paths[`/api/v1${rest.path.replace(/:(\w+)/g, '{$1}')}`][rest.method.toLowerCase()]
    expect(Object.keys(responses['200'].content), name).toEqual([media, ...(otherMedia ?? [])])
    expect('202' in responses, name).toBe(media === 'application/pdf')
    expect('X-Pdf-Signature' in responses['200'].headers, name).toBe(media === 'application/pdf')
  }
})

test('a header is required if every such answer has it, and only then', () => {
  const { responses } = document.paths['/api/v1/contacts/vat-number-check'].post
  const isRequired = (status: string, name: string): boolean | undefined => {
    const answer = responses[status].$ref
      ? document.components.responses[responses[status].$ref.slice('#/components/responses/'.length)]
      : responses[status]
    const described = answer.headers[name]
    if (!described) return undefined
    return document.components.headers[described.$ref.slice('#/components/headers/'.length)].required ?? false
  }
  for (const [status, always] of Object.entries({
    200: true,
    // A request can be rejected before its key is checked.
    400: false,
    401: undefined,
    415: true,
    429: false,
    503: true,
  }))
    for (const name of ['RateLimit', 'RateLimit-Policy'])
      expect(isRequired(status, name), `${status} ${name}`).toBe(always)
  for (const status of ['409', '429']) expect(isRequired(status, 'Retry-After'), status).toBe(true)
  // An external service that did not answer gives no time to retry.
  expect(isRequired('503', 'Retry-After')).toBe(false)
  expect(isRequired('422', 'Retry-After')).toBeUndefined()
})

test('person-only operations are not included', () => {
  const ids = Object.values(document.paths).flatMap((path: any) =>
    Object.values(path).map((operation: any) => operation.operationId as string),
  )
  const forKeys = all.flatMap(({ rest, access, name }) =>
    rest && access !== 'person' ? [name.replace('.', '_')] : [],
  )
  expect(ids.toSorted()).toEqual([...forKeys, 'health'].toSorted())
})

test('the server serves it', async () => {
  const world = await openWorld()
  const answer = await world.inject({ method: 'GET', url: '/api/v1/openapi.json' })
  expect(answer.body).toEqual(openApiDocument(world.env.version, all, EVENTS))
})

test('the printed documents are up to date', async () => {
  const printed = Object.entries(await generate())
  expect(printed.length).toBeGreaterThan(1)
  for (const [path, content] of printed)
    expect(
      readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8') === content,
      `${path} is old: run the generator`,
    ).toBe(true)
})

test('every component has a name that a class can have', () => {
  for (const [kind, parts] of Object.entries<object>(document.components))
    for (const name of Object.keys(parts)) expect(name, kind).toMatch(/^[A-Za-z][A-Za-z0-9]{1,80}$/)
})

test('every body and every answer is a component, since generators name unnamed ones themselves', () => {
  for (const path of Object.values<Record<string, any>>(document.paths))
    for (const { operationId, requestBody, responses } of Object.values(path)) {
      if (operationId === 'health') continue
      const body = requestBody?.content['application/json'].schema
      if (body) expect(body, operationId).toHaveProperty('$ref')
      const answer = (responses['200'] ?? responses['201'] ?? responses['202'])?.content['application/json']
      if (answer) expect(answer.schema.properties.data, operationId).toHaveProperty('$ref')
    }
})

test('every event that is sent is among the webhooks, with an example message', async () => {
  const told = Object.entries(EVENTS).filter(([, spec]) => !('isStep' in spec))
  expect(Object.keys(document.webhooks)).toEqual(told.map(([type]) => type))
  expect(Object.keys(document.webhooks).toSorted()).toEqual([...WEBHOOK_TYPES].toSorted())
  for (const [type, { post }] of Object.entries<any>(document.webhooks)) {
    const { schema, example } = post.requestBody.content['application/json']
    const { properties, required } = resolved(schema)
    expect(properties.type.const).toBe(type)
    expect(Object.keys(example)).toEqual(required)
    expect(post.parameters.map(({ name }: { name: string }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
  }
})
