/** Form state of the design: changes, faults before the request, and the colours offered. Pure. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { contrastOnWhite, isReadableOnWhite } from '../../../../server/domain/contrast.ts'

export type Design = OutputOf<'company.design'>
export type DesignChanges = InputOf<'company.setDesign'>

/** Limit of the server (server/company/design/contract.ts). */
export const FOOTER_CHARS = 400
export const FOOTER_LINES = 4

/** Default colour of the documents (server/pdf/layout). */
export const HOUSE_COLOUR = '#0F5C5C'

/** Colours legible on white, each with its name below `settings.design.colour`. */
export const SWATCHES = [
  { name: 'house', colour: HOUSE_COLOUR },
  { name: 'black', colour: '#1B1B19' },
  { name: 'blue', colour: '#1F4E9E' },
  { name: 'ink', colour: '#262F78' },
  { name: 'green', colour: '#0B6B37' },
  { name: 'olive', colour: '#4F5B1E' },
  { name: 'brown', colour: '#7A4317' },
  { name: 'red', colour: '#A11D2C' },
  { name: 'garnet', colour: '#7B1238' },
  { name: 'violet', colour: '#5B2C83' },
] as const

/** Picture converted in the window. */
export interface NewLogo {
  base64: string
  /** Address for display: `data:` with its type. */
  url: string
  width: number
  height: number
  bytes: number
}

export interface DesignForm {
  /** As typed. */
  accent: string
  footer: string
  simplifiedFormat: Design['simplifiedFormat']
  paymentQr: boolean
  /** `kept` leaves it unchanged. */
  logo: NewLogo | 'kept' | null
}

export function formOf(design: Design): DesignForm {
  return {
    accent: design.accent ?? HOUSE_COLOUR,
    footer: design.footer ?? '',
    simplifiedFormat: design.simplifiedFormat,
    paymentQr: design.paymentQr,
    logo: 'kept',
  }
}

/** Parses a typed colour, with or without `#`, also in short form; returns `#RRGGBB` in capitals, or null. */
export function readColour(text: string): string | null {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toUpperCase()
  if (digits === undefined) return null
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`
}

/**
 * Returns the contrast of a typed colour on white, 1 to 21, rounded down so that it is never overstated; null if it
 * is not a colour.
 */
export function contrastOf(text: string): number | null {
  const colour = readColour(text)
  return colour === null ? null : Math.floor(contrastOnWhite(colour) * 10) / 10
}

/** Returns the fault of a colour as a message key below `settings.design.fault`; null if there is none. */
export function colourFault(text: string): 'colour' | 'contrast' | null {
  const colour = readColour(text)
  if (colour === null) return 'colour'
  return isReadableOnWhite(colour) ? null : 'contrast'
}

const normalizedFooter = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

/** Returns the fault of the footer; null if there is none. */
export function footerFault(text: string): 'footerLong' | 'footerLines' | null {
  const footer = normalizedFooter(text)
  if (footer.length > FOOTER_CHARS) return 'footerLong'
  return footer.split('\n').length > FOOTER_LINES ? 'footerLines' : null
}

/**
 * Returns the differences from the saved design. The default colour is saved as no colour, so that it follows a
 * change of the default.
 */
export function changesOf(form: DesignForm, kept: Design): DesignChanges {
  const changes: DesignChanges = {}
  const colour = readColour(form.accent) ?? kept.accent
  const accent = colour === HOUSE_COLOUR ? null : colour
  const footer = normalizedFooter(form.footer) || null
  if (accent !== kept.accent) changes.accent = accent
  if (footer !== kept.footer) changes.footer = footer
  if (form.simplifiedFormat !== kept.simplifiedFormat) changes.simplifiedFormat = form.simplifiedFormat
  if (form.paymentQr !== kept.paymentQr) changes.paymentQr = form.paymentQr
  if (form.logo !== 'kept' && (form.logo !== null || kept.logo !== null))
    changes.logo = form.logo?.base64 ?? null
  return changes
}

/** Returns the changes that undo `changes`; `logo` is the saved picture in base64, null if there is none. */
export function undoChange(changes: DesignChanges, kept: Design, logo: string | null): DesignChanges {
  const { accent, footer, simplifiedFormat, paymentQr } = kept
  return {
    ...(changes.accent === undefined ? {} : { accent }),
    ...(changes.footer === undefined ? {} : { footer }),
    ...(changes.simplifiedFormat === undefined ? {} : { simplifiedFormat }),
    ...(changes.paymentQr === undefined ? {} : { paymentQr }),
    ...(changes.logo === undefined ? {} : { logo }),
  }
}
