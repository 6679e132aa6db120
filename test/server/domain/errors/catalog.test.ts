/** The error catalogue is complete, and errors contain everything that their callers need. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadContracts } from '../../../../server/api/operations.ts'
import { AppError, validationFailed } from '../../../../server/domain/errors/app-error.ts'
import { ERRORS } from '../../../../server/domain/errors/catalog.ts'
import { english } from '../../../../server/domain/errors/messages/en.ts'
import { spanish } from '../../../../server/domain/errors/messages/es.ts'
import type { ErrorCode, ErrorSpec } from '../../../../server/domain/errors/catalog.ts'

const contracts = await loadContracts()

const root = resolve(import.meta.dirname, '../../../..')
const codes = Object.keys(ERRORS) as ErrorCode[]

describe('the catalogue', () => {
  test.each(codes)('%s states the cause and the next step', (code) => {
    const spec: ErrorSpec = ERRORS[code]
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(spec.status).toBeGreaterThanOrEqual(400)
    expect(spec.status).toBeLessThan(600)
    for (const { message, next } of [english[code], spanish[code]])
      for (const text of [message, next]) expect(text).toMatch(/^[A-ZÁÉÍÓÚ¿«].+[.?]$/)
    // An error that asks to wait must have a status with `Retry-After`.
    if (spec.retry === 'after') expect([409, 429, 503]).toContain(spec.status)
  })

  test.each(['message', 'next'] as const)('no other table or source repeats the %s of an error', (part) => {
    // Short sentences such as "Choose another name." are not tied to one error.
    const texts = [english, spanish].flatMap((table) =>
      Object.values(table).flatMap((text) => [text[part], text.window?.[part] ?? '']),
    )
    const long = texts.filter((text) => text.length >= 40)
    const quoted = new Set(long.map((text) => text.replace(/\.$/, '')))
    const repeated = ['server', 'renderer'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|vue)$/.test(file) && !file.includes('errors/messages/'))
        .flatMap((file) =>
          [...readFileSync(join(root, folder, file), 'utf8').matchAll(/'((?:[^'\\\n]|\\.)*)'|"([^"\n]*)"/g)]
            .map(([, single, double]) => (single ?? double ?? '').replaceAll("\\'", "'").replace(/\.$/, ''))
            .filter((literal) => quoted.has(literal))
            .map((literal) => `${folder}/${file}: ${literal}`),
        ),
    )
    expect(repeated).toEqual([])
    // The same next step may follow several errors; a message belongs to one.
    if (part === 'message') expect(new Set(long).size).toBe(long.length)
  })

  test('every code is in the reference', () => {
    const reference = join(root, 'docs/errors.md')
    expect(existsSync(reference)).toBe(true)
    const text = readFileSync(reference, 'utf8')
    expect(codes.filter((code) => !text.includes(code))).toEqual([])
  })

  test('contracts name only codes of the catalogue', () => {
    for (const contract of contracts) for (const code of contract.errors) expect(codes).toContain(code)
  })

  test('every code is thrown somewhere or declared by a contract', () => {
    const sources = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('errors/catalog.ts'))
      .map((file) => readFileSync(join(root, 'server', file), 'utf8'))
      .join('\n')
    expect(codes.filter((code) => !new RegExp(`['"]${code}['"]`).test(sources))).toEqual([])
  })
})

describe('a failure', () => {
  test('returns its code, field, details, and the address of its documentation', () => {
    const error = new AppError('confirmation_stale', { field: 'confirmationToken', details: { version: 2 } })
    expect(error.status).toBe(409)
    expect(error.toBody()).toEqual({
      code: 'confirmation_stale',
      message: english.confirmation_stale.message,
      field: 'confirmationToken',
      details: { version: 2 },
      retry: 'new_token',
      next: english.confirmation_stale.next,
      docs: '/docs/errors#confirmation_stale',
    })
  })

  test('states the time to wait, whether it was known or not', () => {
    expect(new AppError('too_busy', { retryAfterSeconds: 5 }).waitSeconds).toBe(5)
    expect(new AppError('store_readonly', { details: { reason: 'closing' } }).waitSeconds).toBe(60)
    expect(new AppError('not_found').waitSeconds).toBeUndefined()
  })

  test('does not reveal its cause', () => {
    const error = new AppError('store_damaged', { cause: new Error('secret path') })
    expect(error.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(error.toBody())).not.toContain('secret')
    expect(Object.keys(error.toBody())).toEqual(['code', 'message', 'retry', 'next', 'docs'])
  })

  test('of several fields names the first and lists them all', () => {
    const faults = ['a', 'b'].map((field) => ({
      code: 'required',
      field,
      severity: 'error' as const,
      message: 'Missing.',
    }))
    expect(validationFailed(faults).toBody()).toMatchObject({
      code: 'validation_failed',
      field: 'a',
      details: { faults },
    })
    expect(validationFailed([]).toBody()).not.toHaveProperty('field')
  })
})
