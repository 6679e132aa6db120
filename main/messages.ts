/**
 * Messages of the page: the allowed senders, the maximum length, and the parser of each. No message is handled before
 * all three checks.
 */
import type { IpcMain } from 'electron'
import { COMMANDS, LIMITS, NOTICE_KINDS } from '../preload/contract.ts'
import type {
  DesktopLanguage,
  DesktopTheme,
  MenuCommand,
  MenuEntry,
  MenuState,
  Notice,
  RequestChannel,
} from '../preload/contract.ts'
import { isPagePath } from './window/links.ts'
import { isOurFrame } from './window/security.ts'

/** Handler of a channel: a text of at most `limit` characters, parsed by `read` (null: rejected). */
interface Answer<Value> {
  limit: number
  read: (text: string) => Value | null
  answer: (value: Value) => Said | Promise<Said>
}

/** What the page is told: whether it was done, or the text that a person chose (null: none). */
type Said = boolean | string | null

/** A handler that hides the type of its value between `read` and `answer`. */
type AnyAnswer = (text: string) => Said | Promise<Said>

export function messageHandler<Value>({ limit, read, answer }: Answer<Value>): AnyAnswer {
  return (text) => {
    if (text.length > limit) return false
    const value = read(text)
    return value === null ? false : answer(value)
  }
}

/** Handles every channel. A message from any frame but the page's throws; an invalid one is answered `false`. */
export function answerPage(
  ipcMain: Pick<IpcMain, 'handle'>,
  answers: Record<RequestChannel, AnyAnswer>,
): void {
  for (const [channel, answer] of Object.entries(answers)) {
    ipcMain.handle(channel, (event, text: unknown) => {
      if (!isOurFrame(event)) throw new Error('Refused.')
      return typeof text === 'string' ? answer(text) : false
    })
  }
}

const oneOf =
  <Word extends string>(...words: readonly Word[]) =>
  (text: string): Word | null =>
    words.find((word) => word === text) ?? null

export const readTheme = oneOf<DesktopTheme>('light', 'dark', 'system')
export const readLanguage = oneOf<DesktopLanguage>('es', 'en')

export function readBadge(text: string): number | null {
  return /^\d{1,4}$/.test(text) ? Math.min(Number(text), LIMITS.badge) : null
}

export function readNotice(text: string): Notice | null {
  const given = readObject(text)
  if (!given) return null
  const kind = NOTICE_KINDS.find((each) => each === given.kind)
  const title = plainText(given.title, LIMITS.title)
  const body = plainText(given.body, LIMITS.body)
  const { path } = given
  if (!kind || !title || body === null || typeof path !== 'string' || !isPagePath(path)) return null
  return { kind, title, body, path }
}

/** Parses the menu's state. One invalid entry rejects all of it, since it is a bug or an attack. */
export function readMenuState(text: string): MenuState | null {
  const given = readObject(text)
  if (!given) return null
  const commands = readCommands(given.commands)
  const checked = readCommands(given.checked)
  const actions = readEntries(given.actions)
  const places = readList(given.places, LIMITS.groups, readEntries)
  const books = readList(given.books, LIMITS.entries, (value) => {
    const entry = readEntry(value)
    const { active } = value as { active?: unknown }
    return entry && typeof active === 'boolean' ? { ...entry, active } : null
  })
  if (!commands || !checked || !actions || !places || !books) return null
  return { commands, checked, actions, places, books }
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function readList<Item>(value: unknown, limit: number, read: (item: unknown) => Item | null): Item[] | null {
  if (!Array.isArray(value) || value.length > limit) return null
  const items = value.map(read)
  return items.includes(null) ? null : (items as Item[])
}

const readCommands = (value: unknown): MenuCommand[] | null =>
  readList(value, COMMANDS.length, (item) => COMMANDS.find((each) => each === item) ?? null)

const readEntries = (value: unknown): MenuEntry[] | null => readList(value, LIMITS.entries, readEntry)

function readEntry(value: unknown): MenuEntry | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, label, keys } = value as Record<string, unknown>
  const name = plainText(label, LIMITS.label)
  const shown = keys === undefined ? '' : plainText(keys, LIMITS.keys)
  if (typeof id !== 'string' || id === '' || id.length > LIMITS.id || !name || shown === null) return null
  return { id, label: name, ...(shown ? { keys: shown } : {}) }
}

/** Control characters and those that change the direction of text: neither belongs in a menu or a notification. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

function plainText(value: unknown, limit: number): string | null {
  if (typeof value !== 'string' || value.length > limit) return null
  return value.replace(UNSEEN, ' ').trim()
}
