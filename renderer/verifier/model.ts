/** Messages between the page and its worker. */
import type { FolderFile } from './archive.ts'

/** The checks, in the order in which they run and are shown. */
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

/** Location of a fault; `code` selects the text, the rest fills its placeholders. */
export interface Fault {
  code: string
  /** File, number or record. */
  place: string
  detail?: string
}

export interface Verdict {
  check: CheckId
  /** `absent`: the pack contains nothing of the kind. */
  state: 'ok' | 'wrong' | 'absent'
  /** Number of checked items. */
  looked: number
  faults: Fault[]
  /** Number of faults beyond those listed. */
  more: number
}

/** Description of the pack by itself. */
export interface Facts {
  company: string
  nif: string
  isTest: boolean
  years: { from: number; to: number } | null
  madeAt: string
  version: string
  /** Of the program that made the pack; null for one that ran from its sources, or that did not name it. */
  build: string | null
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
  /** Not a pack, or one that this page cannot read. */
  | { kind: 'unreadable'; fault: Fault }
