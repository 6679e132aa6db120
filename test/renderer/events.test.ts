/** Stream of events: messages are complete whatever the chunks, and a reconnect requests the missed ones. */
import { afterEach, expect, test, vi } from 'vitest'
import { eventStreamReader, onEvent, onReopened, startEvents } from '../../renderer/events.ts'
import type { StreamMessage } from '../../renderer/events.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const STREAM = ': hello\n\nid: 7\nevent: invoice.issued\ndata: {"a":\ndata: 1}\n\ndata:x\r\n\r\nid\ndata\n\n'

test('a stream split anywhere gives the same messages', () => {
  const whole = [
    { id: '7', event: 'invoice.issued', data: '{"a":\n1}' },
    { id: '7', event: 'message', data: 'x' },
    { id: '', event: 'message', data: '' },
  ]
  for (let cut = 0; cut <= STREAM.length; cut++) {
    const messages: StreamMessage[] = []
    const read = eventStreamReader((message) => messages.push(message))
    read(STREAM.slice(0, cut))
    read(STREAM.slice(cut))
    expect(messages, `cut at ${cut}`).toEqual(whole)
  }
})

test('events reach their listeners, and after a disconnect the missed ones are requested', async () => {
  const asked: (string | undefined)[] = []
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    asked.push((init.headers as Record<string, string>)['last-event-id'])
    return Promise.resolve(
      new Response(new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) })),
    )
  })
  const say = (text: string) => bodies.at(-1)?.enqueue(new TextEncoder().encode(text))
  const heard: string[] = []
  const stops = [
    onEvent('invoice.issued', (event) => heard.push(`one ${event.id}`)),
    onEvent('invoice.*', (event) => heard.push(`family ${event.id}`)),
    onEvent('*', (event) => heard.push(`all ${event.id}`)),
    onEvent('registry.*', () => heard.push('wrong')),
    onReopened(() => heard.push('reopened')),
  ]
  const stop = startEvents()
  await vi.waitFor(() => expect(bodies).toHaveLength(1))
  say('id: e1\ndata: {"id":"e1","type":"invoice.issued"}\n\n')
  await vi.waitFor(() => expect(heard).toEqual(['one e1', 'family e1', 'all e1']))
  bodies[0]?.close()
  await vi.waitFor(() => expect(bodies).toHaveLength(2), { timeout: 3000 })
  expect(asked).toEqual([undefined, 'e1'])
  await vi.waitFor(() => expect(heard.at(-1)).toBe('reopened'))
  stop()
  for (const each of stops) each()
})
