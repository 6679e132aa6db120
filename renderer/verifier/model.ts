/** What the page and its worker tell each other. */
import type { FolderFile } from './archive.ts'

/** The checks, in the order in which they are made and shown. */
export const CHECKS = [
  'manifest',
  'files',
  'hashes',
  'links',
  'chain',
  'numbers',
  'invoices',
  'history',
  'books',
] as const
export type CheckId = (typeof CHECKS)[number]

/** Where something is wrong; `code` chooses the words, the rest fills them. */
export interface Fault {
  code: string
  /** File, number or record. */
  place: string
  detail?: string
}

export interface Verdict {
  check: CheckId
  /** `absent`: nothing of the kind is in the pack. */
  state: 'ok' | 'wrong' | 'absent'
  /** How many things were looked at. */
  looked: number
  faults: Fault[]
  /** Faults beyond those that are told. */
  more: number
}

/** What the pack says of itself. */
export interface Facts {
  company: string
  nif: string
  isTest: boolean
  years: { from: number; to: number } | null
  madeAt: string
  version: string
  records: number
  invoices: number
  events: number
  head: string | null
  installations: string[]
  missing: string[]
  selfCheck: { ok: boolean; checks: number; wrong: string[] }
}

export type Request = { zip: Blob } | { folder: FolderFile[] }

export type Message =
  | { kind: 'facts'; facts: Facts }
  | { kind: 'progress'; check: CheckId; done: number; total: number }
  | { kind: 'verdict'; verdict: Verdict }
  | { kind: 'done' }
  /** It is no pack, or none that this page can read. */
  | { kind: 'unreadable'; fault: Fault }
