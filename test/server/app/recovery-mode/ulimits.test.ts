/** System limits on open files or file size: Sello reports them, loses nothing, and resumes by itself. */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSello } from '../../../../server/api/application.ts'
import { startChild } from '../../../support/children/run.ts'
import { companyInput } from '../../../support/store.ts'
import { newFolder } from '../../../support/stages/unopenable-books.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const MOST_FILES = 64
const AT_ONCE = 96
const TRIES = 200
const KEY = { name: 'Programa', scopes: ['invoices.read', 'invoices.write'] }

interface Answer {
  status: number
  code: string | undefined
  data: any
}

const send = async (url: string, bearer: string, path: string, body: unknown, more = {}): Promise<Answer> => {
  const answer = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, error } = (await answer.json()) as any
  return { status: answer.status, code: error?.code, data }
}

/** Creates a folder with a company, and a key for its test book. */
async function makeKeyed(): Promise<{ folder: string; key: string }> {
  const folder = newFolder()
  const options = { dataDir: folder, create: true, keychain: null, port: 0, uiDir: null, cacheKib: 1024 }
  const { url, windowToken, close } = await startSello(options)
  const ask = async (name: string, input: unknown, headers = {}) =>
    (await send(url, windowToken, `/app/call/${name}`, input, headers)).data
  const { books } = await ask('company.create', companyInput())
  const book = books.find(({ mode }: { mode: string }) => mode === 'test').id
  const { key } = await ask('keys.createByPerson', KEY, { 'sello-book': book })
  await close()
  return { folder, key }
}

/** Starts a server process under a shell limit. */
async function serveWithin(folder: string, limit: string) {
  const child = startChild('serve', [folder, 'http://127.0.0.1:1'], {
    through: ['sh', '-c', `ulimit ${limit} && exec "$0" "$@"`],
  })
  return { child, url: String((await child.line()).url) }
}

const namesIn = async (url: string, key: string): Promise<string[]> => {
  const names: string[] = []
  for (let cursor = ''; ;) {
    const { data } = await send(
      url,
      key,
      `/api/v1/contacts?limit=200${cursor && `&cursor=${cursor}`}`,
      undefined,
    )
    names.push(...data.items.map(({ name }: { name: string }) => name))
    if (!data.nextCursor) return names.toSorted()
    cursor = data.nextCursor
  }
}

describe.skipIf(process.platform === 'win32')('a limit of the system', () => {
  test('on open files makes callers retry, and the same key gets the one contact', async () => {
    const { folder, key } = await makeKeyed()
    const { child, url } = await serveWithin(folder, `-n ${MOST_FILES}`)
    const told = new Map<string, number>()
    const create = async (name: string): Promise<void> => {
      const once = { 'idempotency-key': randomUUID() }
      for (let tried = 0; tried < TRIES; tried++) {
        const dropped = (): Answer => ({ status: 0, code: 'dropped', data: null })
        const { status, code } = await send(url, key, '/api/v1/contacts', { name }, once).catch(dropped)
        told.set(code ?? String(status), (told.get(code ?? String(status)) ?? 0) + 1)
        if (status === 201) return
        await pause(50)
      }
      throw new Error(`${name} was never made.`)
    }
    const names = Array.from({ length: AT_ONCE }, (_, nth) => `Contacto ${String(nth).padStart(3, '0')}`)
    await Promise.all(names.map(create))
    console.log(`${MOST_FILES} files, ${AT_ONCE} at once: ${JSON.stringify(Object.fromEntries(told))}`)
    expect(
      [...told.keys()].filter((one) => !['201', 'dropped', 'too_busy', 'rate_limited'].includes(one)),
    ).toEqual([])
    expect((told.get('dropped') ?? 0) + (told.get('too_busy') ?? 0)).toBeGreaterThan(0)
    expect(await namesIn(url, key)).toEqual(names)
    await child.kill()
  })

  longTest(
    'on file size stops writes, not reads, and rejected writes are made once it is lifted',
    async () => {
      const { folder, key } = await makeKeyed()
      // A shell counts in blocks of 512 bytes, some in kilobytes.
      const blocks = Math.ceil(statSync(join(folder, 'sello.db')).size / 512) + 200
      const limited = await serveWithin(folder, `-f ${blocks}`)
      const made: string[] = []
      const once = { 'idempotency-key': randomUUID() }
      let refused: Answer | null = null
      let name = ''
      while (refused === null && made.length < 2_000) {
        name = `Contacto ${String(made.length).padStart(4, '0')}`
        const answer = await send(
          limited.url,
          key,
          '/api/v1/contacts',
          { name },
          { 'idempotency-key': randomUUID() },
        )
        if (answer.status === 201) made.push(name)
        else if (answer.code === 'rate_limited') await pause(1_000)
        else refused = answer
      }
      console.log(`${blocks} blocks: ${made.length} made, then ${refused?.status} ${refused?.code}`)
      expect(refused).toMatchObject({ status: 503, code: 'store_readonly' })
      expect(await namesIn(limited.url, key)).toEqual(made)
      expect(await send(limited.url, key, '/api/v1/contacts', { name }, once)).toMatchObject({
        code: 'store_readonly',
      })
      await limited.child.kill()

      const free = await serveWithin(folder, '-f unlimited')
      onTestFinished(() => free.child.kill())
      expect(await send(free.url, key, '/api/v1/contacts', { name }, once)).toMatchObject({ status: 201 })
      expect(await namesIn(free.url, key)).toEqual([...made, name])
    },
  )
})
