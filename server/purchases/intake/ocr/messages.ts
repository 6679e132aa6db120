/** Messages between the OCR process and its caller. */
import type { Unreadable } from '../read-result.ts'
import type { OcrLanguage } from './languages.ts'
import type { ReadingStep, SeenPage } from './read-page.ts'

export interface OcrJob {
  bytes: Uint8Array
  languages: readonly OcrLanguage[]
  /** Pages of a PDF, from 0; by default those without usable text. */
  pages?: readonly number[] | undefined
}

export interface OcrProgress {
  /** Number of the page at work, from 1, and of all pages as far as known. */
  page: number
  pages: number
  step: 'preparation' | ReadingStep
}

export type OcrPart = { progress: OcrProgress } | { seen: SeenPage }

/** `missing`: a file of the program, not of the document. */
export type OcrReply = { unreadable: Unreadable } | { missing: string } | { done: true }
