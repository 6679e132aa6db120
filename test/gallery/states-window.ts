/** The whole window while it shows no page: shut books, the lock; and what stands over pages: help, tour, sample, news. */
import type { StartFault } from '../../server/app/recovery-mode/contract.ts'
import { DESKTOP } from '../support/browser/stub-desktop.ts'
import type { GalleryState, Stage } from './states.ts'

const at = (path: string) => () => path
const press =
  (...keys: string[]) =>
  async ({ page }: Stage): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }

const FOLDER = '/home/ana/Documentos/Contabilidad de la empresa/sello'
const bare: StartFault = {
  kind: 'start_failed',
  code: 'internal',
  folder: FOLDER,
  file: null,
  keep: [],
  other: null,
  versions: null,
  sharedBy: null,
  port: null,
  freeBytes: 52_428_800,
  canQuit: true,
}

/** As the small server tells of each; `recover.test.ts` and `start.test.ts` bring most of them about. */
const TROUBLES: Readonly<Record<string, Partial<StartFault>>> = {
  'keychain-locked': { kind: 'keychain_locked', code: 'keychain_locked', keep: ['once', 'file'] },
  'key-elsewhere': { kind: 'key_elsewhere', code: 'keychain_locked', keep: ['keychain', 'once'] },
  'key-missing': { kind: 'key_missing', code: 'keychain_locked', file: `${FOLDER}/master.key` },
  'key-wrong': { kind: 'key_wrong', code: 'keychain_locked', file: `${FOLDER}/master.key`, keep: ['file'] },
  'in-use': { kind: 'store_in_use', code: 'store_in_use', other: { pid: 4312, uiUrl: null } },
  'in-use-reachable': {
    kind: 'store_in_use',
    code: 'store_in_use',
    other: { pid: 4312, uiUrl: 'http://127.0.0.1:4545/' },
  },
  'disk-full': { kind: 'disk_full', code: 'ENOSPC', freeBytes: 0 },
  'folder-readonly': { kind: 'folder_readonly', code: 'EROFS' },
  'folder-missing': { kind: 'folder_missing', code: 'store_missing' },
  'folder-unusable': { kind: 'folder_unusable', code: 'ENOTDIR' },
  'port-taken': { kind: 'port_taken', code: 'port_taken', port: 4545 },
  'folder-shared': { kind: 'folder_shared', code: 'folder_shared', sharedBy: 'Dropbox' },
  'store-missing': { kind: 'store_missing', code: 'store_missing' },
  damaged: { kind: 'store_damaged', code: 'store_damaged', file: `${FOLDER}/sello.db` },
  newer: { kind: 'store_newer', code: 'store_newer', versions: { store: 64, known: 61 } },
  'start-failed': {},
}

async function showTrouble({ page }: Stage, trouble: Partial<StartFault>): Promise<void> {
  await page.route('**/app/call/trouble.get', (route) =>
    route.fulfill({ json: { ok: true, data: { trouble: { ...bare, ...trouble } } } }),
  )
  await page.reload()
  await page.locator('h1:not(.sr-only)').waitFor()
}

const shut: Pick<GalleryState, 'world' | 'path' | 'expected'> = {
  world: 'shut',
  path: at('/'),
  expected: /status of (503|422)/,
}

const troubleStates: readonly GalleryState[] = [
  ...Object.entries(TROUBLES).map(([name, trouble]): GalleryState => ({
    ...shut,
    name: `trouble-${name}`,
    act: (stage) => showTrouble(stage, trouble),
  })),
  {
    ...shut,
    name: 'trouble-details',
    act: async (stage) => {
      await showTrouble(stage, TROUBLES.damaged ?? {})
      await stage.page.locator('summary').click()
    },
  },
  {
    ...shut,
    name: 'trouble-code',
    act: async (stage) => {
      await showTrouble(stage, TROUBLES['key-elsewhere'] ?? {})
      await stage.page.getByRole('button', { name: stage.say('trouble.way.code') }).click()
      await stage.page.keyboard.insertText('ABCU')
      await stage.page.keyboard.press('Enter')
    },
  },
  {
    ...shut,
    name: 'trouble-restore',
    act: async (stage) => {
      await stage.page.route('**/app/call/trouble.backups', (route) =>
        route.fulfill({
          json: {
            ok: true,
            data: {
              items: [21, 20, 19].map((day) => ({
                name: `sello-202611${day}`,
                at: `2026-11-${day}T18:03:00.123Z`,
                reason: 'daily',
                bytes: 18_400_000,
              })),
            },
          },
        }),
      )
      await showTrouble(stage, TROUBLES.damaged ?? {})
      await stage.page.getByRole('button', { name: stage.say('trouble.way.restore') }).click()
      await stage.page.getByText(stage.say('trouble.restore.file')).click()
      await stage.page.keyboard.press('Enter')
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
  {
    ...shut,
    name: 'trouble-folder',
    act: async (stage) => {
      await showTrouble(stage, TROUBLES['folder-unusable'] ?? {})
      await stage.page.getByRole('button', { name: stage.say('trouble.way.folder') }).click()
      await stage.page.keyboard.insertText('/media/ana/DISCO')
      await stage.page.keyboard.press('Enter')
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
]

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()
const BACKED_UP = {
  folder: '/home/ana/.config/sello/backups',
  items: [3, 27, 51, 75, 240, 1_000].map((hours, at) => ({
    name: `sello-${hours}`,
    at: hoursAgo(hours),
    reason: (['quit', 'daily', 'manual', 'daily', 'migration', 'daily'] as const)[at],
    bytes: 37_416_960 - at * 1_200_000,
  })),
  nextAt: hoursAgo(-21),
  fault: null,
  own: null,
  drill: { at: hoursAgo(60), name: 'sello-75', why: null },
}
/** What the card shows when all is well, when the disk is full and the second one away, and before there is any. */
const BACKUPS = {
  fine: {
    ...BACKED_UP,
    own: { folder: '/media/ana/Copias/sello-backups-5f0c1a2b', lastAt: hoursAgo(3), fault: null },
  },
  failed: {
    ...BACKED_UP,
    fault: { why: 'no_space', since: hoursAgo(30), at: hoursAgo(1) },
    own: {
      folder: '/media/ana/Copias/sello-backups-5f0c1a2b',
      lastAt: hoursAgo(240),
      fault: { why: 'folder_missing', since: hoursAgo(230), at: hoursAgo(1) },
    },
    drill: { at: hoursAgo(60), name: 'sello-75', why: 'differs' },
  },
  fresh: { ...BACKED_UP, items: [], drill: null, nextAt: hoursAgo(0) },
}

const lock = async ({ page, say }: Stage): Promise<void> => {
  await page.keyboard.press('Control+l')
  await page.getByRole('heading', { name: say('lock.title') }).waitFor()
}
const LOCKED = /status of (423|422|429)/

const lockStates: readonly GalleryState[] = [
  ...(['locked', 'pin'] as const).map((world): GalleryState => ({
    name: `lock-${world}`,
    world,
    path: at('/invoices'),
    expected: LOCKED,
    act: lock,
  })),
  {
    name: 'lock-wrong',
    world: 'locked',
    path: at('/invoices'),
    expected: LOCKED,
    act: async (stage) => {
      await lock(stage)
      await stage.page.keyboard.type('no es esta')
      await stage.page.keyboard.press('Enter')
      await stage.page.getByText(stage.say('lock.wrong')).first().waitFor()
    },
  },
  {
    name: 'lock-waiting',
    world: 'locked',
    path: at('/invoices'),
    expected: LOCKED,
    act: async (stage) => {
      await lock(stage)
      await stage.page.route('**/app/call/session.unlock', (route) =>
        route.fulfill({
          status: 429,
          json: {
            ok: false,
            error: { code: 'lock_wait', message: 'Wait.', retry: 'after', details: { seconds: 3600 } },
            meta: { requestId: 'req_0000000000000000' },
          },
        }),
      )
      await stage.page.keyboard.type('no es esta')
      await stage.page.keyboard.press('Enter')
      await stage.page.getByText(stage.say('lock.waiting')).first().waitFor()
    },
  },
  {
    name: 'lock-forgotten',
    world: 'locked',
    path: at('/invoices'),
    expected: LOCKED,
    act: async (stage) => {
      await lock(stage)
      await stage.page.getByRole('button', { name: stage.say('lock.forgotten') }).click()
      await stage.page.keyboard.press('Enter')
    },
  },
  { name: 'settings-lock-on', world: 'locked', path: at('/settings/security') },
  {
    name: 'settings-lock-change',
    world: 'locked',
    path: at('/settings/security'),
    act: async ({ page, say }) => {
      await page.getByRole('button', { name: say('lock.settings.change') }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'settings-lock-approvals',
    world: 'locked',
    path: at('/settings/security'),
    expected: /status of 403/,
    act: async ({ page, say }) => {
      await page.getByRole('switch', { name: say('lock.settings.beforeApproval') }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
]

const helpStates: readonly GalleryState[] = [
  { name: 'help-lost', world: 'everyday', path: at('/help/nothing-like-it') },
  {
    name: 'help-search',
    world: 'everyday',
    path: at('/help'),
    act: async ({ page, say }) => {
      await page.getByRole('combobox', { name: say('help.search') }).focus()
      await page.keyboard.type('iva')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'help-panel',
    world: 'everyday',
    path: at('/registry'),
    act: async ({ page }) => {
      await page.keyboard.press('F1')
      await page.waitForTimeout(600)
    },
  },
  ...[0, 1, 3].map((steps): GalleryState => ({
    name: `tour-${steps + 1}`,
    world: 'everyday',
    path: at('/help'),
    act: async (stage) => {
      await stage.page
        .getByRole('button', { name: stage.say('tour.begin') })
        .locator('visible=true')
        .first()
        .click()
      await stage.page.getByRole('dialog').waitFor()
      for (let step = 0; step < steps; step++) {
        await press('ArrowRight')(stage)
        await stage.page.waitForTimeout(400)
      }
    },
  })),
  { name: 'sample-offer', world: 'empty', path: at('/help') },
]

const overStates: readonly GalleryState[] = [
  {
    name: 'drop-veil',
    world: 'everyday',
    path: at('/invoices'),
    act: async ({ page }) => {
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['x'], 'factura.pdf', { type: 'application/pdf' }))
        dispatchEvent(new DragEvent('dragenter', { dataTransfer, cancelable: true }))
      })
    },
  },
  {
    name: 'clock-bar',
    world: 'everyday',
    path: at('/invoices'),
    act: async ({ page, say }) => {
      await page.route('**/app/call/registry.status', async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { data: { attention: unknown[] } }
        body.data.attention = [{ code: 'clock_wrong', message: '', fix: '', action: 'clock' }]
        await route.fulfill({ response, json: body })
      })
      await page.reload()
      await page.getByText(say('trouble.clock.title')).first().waitFor()
    },
  },
  {
    name: 'room-bar',
    world: 'everyday',
    path: at('/invoices'),
    act: async ({ page, say }) => {
      await page.route('**/app/call/session.get', async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { data: { store: { lowDisk: string } } }
        body.data.store.lowDisk = 'no_new'
        await route.fulfill({ response, json: body })
      })
      // The real stream would say that there is room.
      await page.route('**/app/events', (route) =>
        route.fulfill({
          contentType: 'text/event-stream',
          body: 'event: store.state\ndata: {"type":"store.state","data":{"reason":null,"lowDisk":"no_new"}}\n\n',
        }),
      )
      await page.reload()
      await page.getByText(say('trouble.room.no_new.title')).first().waitFor()
    },
  },
  ...(['fine', 'failed', 'fresh'] as const).map((kind): GalleryState => ({
    name: `backups-${kind}`,
    world: 'everyday',
    path: at('/settings/backups'),
    act: async ({ page, say }) => {
      await page.route('**/app/call/backups.list', (route) =>
        route.fulfill({ json: { ok: true, data: BACKUPS[kind] } }),
      )
      if (kind === 'failed')
        await page.route('**/app/call/session.get', async (route) => {
          const response = await route.fetch()
          const body = (await response.json()) as { data: { store: { backups: unknown } } }
          body.data.store.backups = { kind: 'failed', ...BACKUPS.failed.fault }
          await route.fulfill({ response, json: body })
        })
      await page.reload()
      await page
        .getByRole('heading', { name: say('backups.title') })
        .evaluate((title) => title.closest('section')?.scrollIntoView({ block: 'start' }))
    },
  })),
  ...(['available', 'downloading', 'ready', 'failed'] as const).map((phase): GalleryState => ({
    name: `update-${phase}`,
    world: 'everyday',
    path: at('/settings/security'),
    act: async ({ page, say }) => {
      await page.addInitScript(DESKTOP)
      await page.reload()
      await page.locator('h1').first().waitFor()
      await page.waitForFunction('window.asked?.ready > 0')
      await page.evaluate(
        `system.update(${JSON.stringify({ phase, next: '0.2.0', percent: 42, fault: 'network' })})`,
      )
      await page
        .getByRole('heading', { name: say('updates.title') })
        .evaluate((title) => title.closest('section')?.scrollIntoView({ block: 'end' }))
    },
  })),
]

export const windowStates: readonly GalleryState[] = [
  ...troubleStates,
  ...lockStates,
  ...helpStates,
  ...overStates,
]
