/**
 * Attacks that a web page can try against a server: every way to request, send and read. `attack` runs inside the
 * page, so that it uses nothing of this module. Each address names the method in `way` and the desired result in
 * `as`, which only the permissive mock server respects.
 */

/** The targets of an attacking page. */
export interface Orders {
  /** Addresses to read. */
  reads: readonly string[]
  /** Addresses for writes, each with an acceptable body. */
  writes: readonly { url: string; body: string }[]
  /** Sent as bearer token where a page can send headers. */
  credential: string
  /** Answers 307 to the address in `to`; it belongs to the attacker. */
  redirector: string
  /** Milliseconds after which a method counts as silent. */
  patienceMs: number
  /**
   * Milliseconds for a frame to load and respond; a rejected one does not always report it, and is waited for to the
   * end.
   */
  frameMs: number
}

/** The result of one method. */
interface Seen {
  /** Content that the page could read. */
  read: string
  /** Other readable properties of the answer: status, names of headers, sizes. */
  about: string
  /** How it ended; the same for every address, as otherwise the page learns which ones exist. */
  told: string
}

export interface Finding extends Seen {
  way: string
  url: string
}

/** Tries every method at every address; returns what the page learned. */
export async function attack(orders: Orders): Promise<Finding[]> {
  const { credential, redirector, patienceMs, frameMs } = orders
  type Way = (url: string, body: string) => Promise<Seen>
  const nothing = (told: string): Seen => ({ read: '', about: '', told })
  const marked = (url: string, as: string): string => `${url}&as=${as}`
  const json = { 'content-type': 'application/json' }
  const bearer = { authorization: `Bearer ${credential}` }
  const globals = globalThis as unknown as Record<string, unknown>
  let names = 0
  const fresh = (): string => `hostile${(names += 1)}`

  /** Returns the readable parts of an answer. */
  async function answered(asking: () => Promise<Response>): Promise<Seen> {
    try {
      const response = await asking()
      const headers = [...response.headers.keys()].join()
      const length = response.headers.get('content-length') ?? ''
      const about = response.status === 0 && headers === '' ? '' : `${response.status} ${length} ${headers}`
      return { read: await response.text(), about, told: response.type }
    } catch (error) {
      return nothing((error as Error).name)
    }
  }
  const asks =
    (as: string, init: (body: string) => RequestInit): Way =>
    (url, body) =>
      answered(() => fetch(marked(url, as), init(body)))

  const overXhr =
    (method: string, headers: Record<string, string>, withCredentials: boolean): Way =>
    (url, body) =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest()
        request.open(method, marked(url, 'text'))
        request.withCredentials = withCredentials
        for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
        request.onloadend = () =>
          resolve({
            read: request.responseText,
            about: request.status === 0 ? '' : `${request.status}`,
            told: request.status === 0 ? 'error' : 'load',
          })
        request.send(method === 'GET' ? null : body)
      })

  /** Adds an element to the page and inspects it when it has loaded or failed. */
  function element<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    set: (made: HTMLElementTagNameMap[Tag]) => void,
    look: (made: HTMLElementTagNameMap[Tag]) => string | Promise<string>,
    events: readonly string[] = ['load', 'error'],
  ): Promise<Seen> {
    const made = document.createElement(tag)
    return new Promise<Seen>((resolve) => {
      for (const event of events)
        made.addEventListener(event, async () => resolve({ read: await look(made), about: '', told: event }))
      set(made)
      document.body.append(made)
    }).finally(() => made.remove())
  }
  const whenIdle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30))
  const global = (name: string): string => String(globals[name] ?? '')
  const afterScript = (): string => {
    const seen = global('readByScript')
    delete globals.readByScript
    return seen
  }

  /** Returns the readable parts of another window: its text, its messages (naming `name`), its number of frames. */
  async function insideOf(other: () => Window | null, name: string, until: Promise<unknown>): Promise<Seen> {
    let said = ''
    let hear: (event: MessageEvent) => void = () => {}
    const heard = new Promise<void>((resolve) => {
      hear = ({ data }) => {
        if (typeof data !== 'string' || !data.includes(name)) return
        said += data
        resolve()
      }
    })
    addEventListener('message', hear)
    await Promise.race([until, heard, new Promise((resolve) => setTimeout(resolve, frameMs))])
    await whenIdle()
    removeEventListener('message', hear)
    const inner = other()
    let text = ''
    try {
      text = inner?.document.documentElement.textContent ?? ''
    } catch {
      // Another origin.
    }
    return {
      read: text + said,
      about: inner && inner.length > 0 ? `${inner.length} frames` : '',
      told: 'window',
    }
  }
  const framed =
    (tag: 'iframe' | 'object' | 'embed'): Way =>
    async (url) => {
      const made = document.createElement(tag)
      const name = fresh()
      const done = new Promise((resolve) => {
        made.addEventListener('load', resolve)
        made.addEventListener('error', resolve)
      })
      if (tag !== 'iframe') made.setAttribute('type', 'text/html')
      made.setAttribute(tag === 'object' ? 'data' : 'src', `${marked(url, 'document')}&in=${name}`)
      document.body.append(made)
      // An embedded page can only send a message itself, some time after its frame has loaded.
      const isSilent = made instanceof HTMLEmbedElement
      const inner = (): Window | null => (isSilent ? null : (made as HTMLIFrameElement).contentWindow)
      const seen = await insideOf(inner, name, isSilent ? new Promise(() => {}) : done)
      made.remove()
      return seen
    }
  const opened: Way = async (url) => {
    const name = fresh()
    const other = open(`${marked(url, 'document')}&in=${name}`, '_blank', 'width=200,height=200')
    const begun = performance.now()
    const arrived = async (): Promise<void> => {
      for (;;) {
        await whenIdle()
        try {
          if (other?.location.href !== 'about:blank' && other?.document.readyState === 'complete') return
        } catch {
          return
        }
        if (performance.now() - begun > patienceMs) return
      }
    }
    const seen = await insideOf(() => other, name, arrived())
    other?.postMessage('What is in there?', '*')
    other?.close()
    return seen
  }
  /** A page without an origin, which reports to its parent what it read. */
  const sandboxed =
    (init: string): Way =>
    (url, body) => {
      const name = fresh()
      const script = `fetch(${JSON.stringify(marked(url, 'text'))}, ${init.replace('BODY', JSON.stringify(body))})
        .then((answer) => answer.text(), () => '').then((text) => parent.postMessage({ ${name}: text }, '*'))`
      return new Promise<Seen>((resolve) => {
        addEventListener('message', ({ data }: MessageEvent<Record<string, string> | null>) => {
          const text = typeof data === 'object' ? data?.[name] : undefined
          if (text !== undefined) resolve({ read: text, about: '', told: 'told' })
        })
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', 'allow-scripts allow-forms')
        frame.srcdoc = `<script>${script.replaceAll('<', '\\u003c')}</${'script'}>`
        document.body.append(frame)
        setTimeout(() => frame.remove(), patienceMs)
      })
    }

  const scriptOf = (text: string): string =>
    URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  function fromWorker(make: () => Worker): Promise<Seen> {
    return new Promise((resolve) => {
      try {
        const worker = make()
        worker.onmessage = ({ data }) => {
          worker.terminate()
          resolve({ read: String(data), about: '', told: 'message' })
        }
        worker.onerror = () => resolve(nothing('error'))
      } catch (error) {
        resolve(nothing((error as Error).name))
      }
    })
  }
  const module = (url: string, options: string): Promise<Seen> => {
    const name = fresh()
    const script = document.createElement('script')
    script.textContent = `import(${JSON.stringify(url)}${options}).then(
      (all) => (globalThis.${name} = { read: JSON.stringify(all), about: '', told: 'load' }),
      (error) => (globalThis.${name} = { read: '', about: '', told: error.name }))`
    document.body.append(script)
    return new Promise((resolve) => {
      const look = setInterval(() => {
        if (globals[name] === undefined) return
        clearInterval(look)
        resolve(globals[name] as Seen)
      }, 20)
    })
  }
  const size = (image: HTMLImageElement): string =>
    image.naturalWidth > 0 ? `${image.naturalWidth}x${image.naturalHeight}` : ''
  const pixels = (image: HTMLImageElement): string => {
    const canvas = document.createElement('canvas')
    const paper = canvas.getContext('2d')
    try {
      paper?.drawImage(image, 0, 0)
      const [red, , , alpha] = paper?.getImageData(0, 0, 1, 1).data ?? []
      return alpha ? `${red}` : ''
    } catch {
      return ''
    }
  }
  const styled = (): string => getComputedStyle(document.documentElement).getPropertyValue('--read-by-style')
  const seconds = (media: HTMLMediaElement): string =>
    Number.isFinite(media.duration) ? `${media.duration} s` : ''
  const MEDIA = ['loadedmetadata', 'error']

  const reads: Record<string, Way> = {
    fetch: asks('text', () => ({})),
    'fetch with cookies': asks('text', () => ({ credentials: 'include' })),
    'fetch with a key': asks('text', () => ({ headers: bearer })),
    'fetch with a header of its own': asks('text', () => ({
      headers: { 'x-requested-with': 'XMLHttpRequest' },
    })),
    'fetch without cors': asks('text', () => ({ mode: 'no-cors', credentials: 'include' })),
    'fetch as of the same origin': asks('text', () => ({ mode: 'same-origin' })),
    'fetch that follows nothing': asks('text', () => ({ mode: 'no-cors', redirect: 'manual' })),
    'fetch of the head': asks('text', () => ({ method: 'HEAD' })),
    'fetch without a referrer': asks('text', () => ({ referrerPolicy: 'no-referrer' })),
    'fetch through a redirect': (url) =>
      answered(() => fetch(`${redirector}?to=${encodeURIComponent(marked(url, 'text'))}`)),
    XMLHttpRequest: overXhr('GET', {}, false),
    'XMLHttpRequest with cookies': overXhr('GET', {}, true),
    'XMLHttpRequest with a key': overXhr('GET', bearer, false),
    script: (url) => element('script', (made) => (made.src = marked(url, 'script')), afterScript),
    'script with cors': (url) =>
      element(
        'script',
        (made) => {
          made.crossOrigin = 'use-credentials'
          made.src = marked(url, 'script')
        },
        afterScript,
      ),
    module: (url) => module(marked(url, 'module'), ''),
    'module of JSON': (url) => module(marked(url, 'text'), ", { with: { type: 'json' } }"),
    style: (url) =>
      element(
        'link',
        (made) => {
          made.rel = 'stylesheet'
          made.href = marked(url, 'style')
        },
        (made) => {
          try {
            return styled() + [...(made.sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join()
          } catch {
            return styled()
          }
        },
      ),
    'style imported': (url) =>
      element('style', (made) => (made.textContent = `@import url(${marked(url, 'style')})`), styled),
    image: (url) => element('img', (made) => (made.src = marked(url, 'image')), size),
    'pixels of an image': (url) =>
      element(
        'img',
        (made) => {
          made.crossOrigin = 'anonymous'
          made.src = marked(url, 'image')
        },
        pixels,
      ),
    video: (url) => element('video', (made) => (made.src = marked(url, 'sound')), seconds, MEDIA),
    audio: (url) => element('audio', (made) => (made.src = marked(url, 'sound')), seconds, MEDIA),
    font: async (url) => {
      try {
        const face = await new FontFace(fresh(), `url(${marked(url, 'font')})`).load()
        return { read: face.status, about: '', told: 'load' }
      } catch (error) {
        return nothing((error as Error).name)
      }
    },
    subtitles: async (url) => {
      const media = document.createElement('video')
      media.crossOrigin = 'anonymous'
      const track = document.createElement('track')
      track.src = marked(url, 'subtitles')
      media.append(track)
      document.body.append(media)
      const told = await new Promise<string>((resolve) => {
        for (const event of ['load', 'error']) track.addEventListener(event, () => resolve(event))
        track.track.mode = 'hidden'
      })
      const read = [...(track.track.cues ?? [])].map((cue) => (cue as VTTCue).text).join()
      media.remove()
      return { read, about: '', told }
    },
    frame: framed('iframe'),
    object: framed('object'),
    embed: framed('embed'),
    'page without an origin': sandboxed('{}'),
    EventSource: (url) =>
      new Promise((resolve) => {
        const source = new EventSource(marked(url, 'events'), { withCredentials: true })
        source.onmessage = ({ data }) => {
          source.close()
          resolve({ read: String(data), about: '', told: 'message' })
        }
        source.onerror = () => {
          source.close()
          resolve(nothing('error'))
        }
      }),
    WebSocket: (url) =>
      new Promise((resolve) => {
        const socket = new WebSocket(marked(url, 'socket').replace(/^http/, 'ws'))
        socket.onmessage = ({ data }) => {
          socket.close()
          resolve({ read: String(data), about: '', told: 'message' })
        }
        socket.onerror = () => resolve(nothing('error'))
      }),
    worker: (url) => fromWorker(() => new Worker(marked(url, 'worker'))),
    'worker of modules': (url) => fromWorker(() => new Worker(marked(url, 'worker'), { type: 'module' })),
    'worker that imports': (url) =>
      fromWorker(
        () =>
          new Worker(
            scriptOf(`try { importScripts(${JSON.stringify(marked(url, 'script'))}) } catch {}
              postMessage(self.readByScript ?? '')`),
          ),
      ),
    'worker that asks': (url) =>
      fromWorker(
        () =>
          new Worker(
            scriptOf(`fetch(${JSON.stringify(marked(url, 'text'))}, { credentials: 'include' })
              .then((answer) => answer.text()).then(postMessage, () => postMessage(''))`),
          ),
      ),
    'shared worker': (url) =>
      new Promise((resolve) => {
        try {
          const shared = new SharedWorker(marked(url, 'shared-worker'), { name: fresh() })
          shared.port.onmessage = ({ data }) => resolve({ read: String(data), about: '', told: 'message' })
          shared.onerror = () => resolve(nothing('error'))
        } catch (error) {
          resolve(nothing((error as Error).name))
        }
      }),
    'service worker': async (url) => {
      // Only if the page is on this computer.
      if (!('serviceWorker' in navigator)) return nothing('absent')
      try {
        const made = await navigator.serviceWorker.register(marked(url, 'service-worker'))
        await made.unregister()
        return { read: 'registered', about: '', told: 'load' }
      } catch (error) {
        return nothing((error as Error).name)
      }
    },
    'what the browser keeps': async (url) => {
      if (!('caches' in globalThis)) return nothing('absent')
      const kept = await caches.open(fresh())
      try {
        await kept.add(new Request(marked(url, 'text'), { mode: 'no-cors' }))
      } catch (error) {
        return nothing((error as Error).name)
      }
      return answered(async () => (await kept.match(marked(url, 'text'))) ?? Response.error())
    },
    'own cookies': async () => ({ read: document.cookie, about: '', told: 'read' }),
  }

  /** A form that the page submits automatically, into a frame. */
  const form =
    (
      enctype: string,
      method: string,
      action: (url: string) => string = (url) => marked(url, 'document'),
    ): Way =>
    async (url, body) => {
      const frame = document.createElement('iframe')
      frame.name = fresh()
      const made = document.createElement('form')
      Object.assign(made, { enctype, method, action: action(url), target: frame.name })
      const inputs: (readonly [string, string])[] =
        method === 'get'
          ? // The fields of the form replace the query of the address.
            [...new URL(marked(url, 'document')).searchParams]
          : // As plain text it becomes a body that can be parsed as JSON.
            [[body.replace(/\}$/, ',"x":"'), '"}']]
      for (const [name, value] of inputs)
        made.append(Object.assign(document.createElement('input'), { name, value }))
      document.body.append(frame, made)
      const done = new Promise((resolve) => frame.addEventListener('load', resolve))
      made.submit()
      const seen = await insideOf(() => frame.contentWindow, frame.name, done)
      frame.remove()
      made.remove()
      return seen
    }
  const sent = (taken: boolean): Seen => nothing(taken ? 'sent' : 'refused')
  const plain = { 'content-type': 'text/plain' }
  const fields = (body: string): FormData => {
    const all = new FormData()
    for (const [name, value] of Object.entries(JSON.parse(body) as object)) all.append(name, String(value))
    return all
  }
  const writes: Record<string, Way> = {
    'fetch of JSON': asks('text', (body) => ({ method: 'POST', headers: json, body })),
    'fetch of JSON with a key': asks('text', (body) => ({
      method: 'POST',
      headers: { ...json, ...bearer },
      body,
    })),
    'fetch of JSON with a key and cookies': asks('text', (body) => ({
      method: 'POST',
      headers: { ...json, ...bearer },
      body,
      credentials: 'include',
    })),
    'fetch of JSON as plain text': asks('text', (body) => ({
      method: 'POST',
      mode: 'no-cors',
      credentials: 'include',
      headers: plain,
      body,
    })),
    'fetch of a form': asks('text', (body) => ({
      method: 'POST',
      mode: 'no-cors',
      body: new URLSearchParams(JSON.parse(body) as Record<string, string>),
    })),
    'fetch of a form in parts': asks('text', (body) => ({
      method: 'POST',
      mode: 'no-cors',
      body: fields(body),
    })),
    'fetch of bytes without a type': asks('text', (body) => ({
      method: 'POST',
      mode: 'no-cors',
      body: new TextEncoder().encode(body),
    })),
    'fetch that outlives the page': asks('text', (body) => ({
      method: 'POST',
      mode: 'no-cors',
      keepalive: true,
      headers: plain,
      body,
    })),
    'fetch that is another method': asks('text', (body) => ({
      method: 'POST',
      headers: { ...plain, 'x-http-method-override': 'DELETE' },
      body,
    })),
    'fetch through a redirect': (url, body) =>
      answered(() =>
        fetch(`${redirector}?to=${encodeURIComponent(marked(url, 'text'))}`, {
          method: 'POST',
          mode: 'no-cors',
          headers: plain,
          body,
        }),
      ),
    PUT: asks('text', (body) => ({ method: 'PUT', headers: { ...json, ...bearer }, body })),
    PATCH: asks('text', (body) => ({ method: 'PATCH', headers: { ...json, ...bearer }, body })),
    DELETE: asks('text', () => ({ method: 'DELETE', headers: bearer })),
    'XMLHttpRequest of plain text': overXhr('POST', plain, true),
    'XMLHttpRequest of JSON with a key': overXhr('POST', { ...json, ...bearer }, false),
    'form in the address': form('application/x-www-form-urlencoded', 'get'),
    form: form('application/x-www-form-urlencoded', 'post'),
    'form in parts': form('multipart/form-data', 'post'),
    'form of JSON as plain text': form('text/plain', 'post'),
    'form through a redirect': form(
      'text/plain',
      'post',
      (url) => `${redirector}?to=${encodeURIComponent(marked(url, 'document'))}`,
    ),
    beacon: async (url, body) => sent(navigator.sendBeacon(marked(url, 'text'), body)),
    'beacon of a form': async (url, body) => sent(navigator.sendBeacon(marked(url, 'text'), fields(body))),
    'beacon of JSON': async (url, body) =>
      sent(navigator.sendBeacon(marked(url, 'text'), new Blob([body], { type: 'application/json' }))),
    ping: async (url) => {
      const frame = document.createElement('iframe')
      frame.name = fresh()
      const link = document.createElement('a')
      Object.assign(link, { ping: marked(url, 'text'), href: 'about:blank', target: frame.name })
      document.body.append(frame, link)
      link.click()
      await whenIdle()
      return nothing('sent')
    },
    image: (url) => element('img', (made) => (made.src = marked(url, 'image')), size),
    'worker that sends': (url, body) =>
      fromWorker(
        () =>
          new Worker(
            scriptOf(`fetch(${JSON.stringify(marked(url, 'text'))}, { method: 'POST', mode: 'no-cors',
              headers: { 'content-type': 'text/plain' }, body: ${JSON.stringify(body)} })
              .then((answer) => answer.text()).then(postMessage, () => postMessage(''))`),
          ),
      ),
    'page without an origin': sandboxed("{ method: 'POST', mode: 'no-cors', body: BODY }"),
    'WebSocket that speaks first': (url, body) =>
      new Promise((resolve) => {
        const socket = new WebSocket(marked(url, 'socket').replace(/^http/, 'ws'))
        socket.onopen = () => socket.send(body)
        socket.onmessage = ({ data }) => {
          socket.close()
          resolve({ read: String(data), about: '', told: 'message' })
        }
        socket.onerror = () => resolve(nothing('error'))
      }),
  }

  const findings: Finding[] = []
  const ways: Record<string, { go: Way; body: string }> = {}
  const silence = (ms: number): Promise<Seen> =>
    new Promise((resolve) => setTimeout(() => resolve(nothing('silence')), ms))
  const tryOne = async (way: string, url: string, ms: number): Promise<Finding> => {
    const { go, body } = ways[way + url]!
    const address = `${url}?way=${encodeURIComponent(way)}`
    return { way, url, ...(await Promise.race([go(address, body).catch(failed), silence(ms)])) }
  }
  async function tryAll(all: Record<string, Way>, kind: string, url: string, body: string): Promise<void> {
    await Promise.all(
      Object.entries(all).map(async ([name, go]) => {
        const way = `${kind}: ${name}`
        ways[way + url] = { go, body }
        findings.push(await tryOne(way, url, patienceMs))
      }),
    )
  }
  const failed = (error: unknown): Seen => nothing((error as Error).name)
  async function tryReading(url: string): Promise<void> {
    await tryAll(reads, 'read', url, '')
    await whenIdle()
    const measured = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const sizes = measured
      .filter(({ name }) => name.startsWith(`${url}?way`))
      .filter(({ transferSize, encodedBodySize, decodedBodySize, responseStatus }) =>
        [transferSize, encodedBodySize, decodedBodySize, responseStatus].some((value) => value > 0),
      )
      .map(({ encodedBodySize, responseStatus }) => `${encodedBodySize} ${responseStatus}`)
    const about = [...new Set(sizes)].toSorted().join()
    findings.push({ way: 'read: measure', url, read: '', about, told: 'measured' })
  }
  performance.setResourceTimingBufferSize(10_000)
  const AT_ONCE = 4
  const left = [
    ...orders.reads.map((url) => () => tryReading(url)),
    ...orders.writes.map(
      ({ url, body }) =>
        () =>
          tryAll(writes, 'write', url, body),
    ),
  ]
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await next()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  // Last: a window behind another draws nothing, and embedded content in it never loads.
  for (const url of orders.reads) await tryAll({ 'window opened': opened }, 'read', url, '')
  // A busy browser occasionally loses an event. If a method was silent at only one address, it is repeated with more
  // time and nothing in parallel: an address that is really silent where others are not stays so, and has revealed
  // something to the page.
  const spoke = new Set(findings.filter(({ told }) => told !== 'silence').map(({ way }) => way))
  for (const [at, { way, url, told }] of findings.entries())
    if (told === 'silence' && spoke.has(way)) findings[at] = await tryOne(way, url, 3 * patienceMs)
  return findings
}
