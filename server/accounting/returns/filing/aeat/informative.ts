/**
 * Informative returns (347, 349, 190, 180) by their own service, TGVI Online, in steps: a sending is opened with record 1,
 * takes records 2 in blocks, and is presented. Data travel in HTTP headers, records in the body. Only the last step files:
 * what fails before it is certainly not filed, though the agency shows a sending that was left as not presented. Source:
 * what independent programs send and what was recorded; the service's own description was not at hand.
 */
import { agencyText } from '../../declaration/agency-text.ts'
import type {
  FiledBy,
  FiledText,
  FilingAnswer,
  HttpMessage,
  HttpOutcome,
  QueryAnswer,
  Transport,
} from '../service.ts'
import { CSV, queryMessage, readQueryAnswer, SIGNATURE } from './messages.ts'

const PATH = '/wlpl/OVPT-NTGV/'
type StepName = 'InicializarEnvio' | 'EnviarDatos' | 'RecuperarErrores' | 'PresentarEnvio' | 'RecuperarEnvio'

const INFORMATIVE: readonly string[] = ['347', '349', '190', '180']

/** Returns true for a model that this service takes. */
export function isInformative(model: string): boolean {
  return INFORMATIVE.includes(model)
}

const ENCODING = 'ISO-8859-1'
const LANGUAGE = 'ES'
const RECORD_LENGTH = 500
const MOST_RECORDS = 40_000
/**
 * Longest sending: with the time that each message may take it ends within half an hour, before a lost return counts as
 * not found and may be filed again.
 */
const MOST_BLOCKS = 5
/** Says at the start that an earlier declaration stands. */
const STANDS_ALREADY = '8888'

function message(step: StepName, headers: Record<string, string>, body = ''): HttpMessage {
  return {
    method: 'POST',
    path: PATH + step,
    headers: { 'content-type': `text/plain;charset=${ENCODING}`, accept: '*/*', ...headers },
    body: Buffer.from(body, 'latin1'),
    certificate: true,
  }
}

type StepAnswer =
  | { kind: 'done'; header: (name: string) => string; body: Uint8Array }
  /** With the agency's own code. */
  | { kind: 'refused'; code: string; error: string }
  /** The message certainly did not leave. */
  | { kind: 'not_sent'; reason: string; detail: string }
  /** No answer, or one that cannot be read: the step may have been done. */
  | { kind: 'lost'; detail: string }

const OK = 200
const CODE = /^\w{1,20}$/
const CHARACTERS_READ = 500

function readStep(step: StepName, outcome: HttpOutcome): StepAnswer {
  if (outcome.kind === 'not_sent') return outcome
  if (outcome.kind === 'no_answer') return { kind: 'lost', detail: `${step}: ${outcome.detail}` }
  const { status, body } = outcome
  const headers = new Map(
    Object.entries(outcome.headers).map(([name, value]) => [name.toLowerCase(), value.trim()]),
  )
  const header = (name: string): string => headers.get(name.toLowerCase()) ?? ''
  const code = header('CODIGO')
  if (status !== OK || !CODE.test(code))
    return {
      kind: 'lost',
      detail: `${step}: the answer (status ${status}, ${body.length} bytes) has no code of the service.`,
    }
  if (/^0+$/.test(code)) return { kind: 'done', header, body }
  const text = header('MENSAJE').slice(0, CHARACTERS_READ)
  return { kind: 'refused', code, error: text.startsWith(code) ? text : `${code} - ${text}` }
}

/** Returns what a step that was not done means before anything is presented. */
function certainFailure(answer: Exclude<StepAnswer, { kind: 'done' }>): FilingAnswer {
  switch (answer.kind) {
    case 'refused':
      return answer.code === STANDS_ALREADY
        ? { kind: 'not_sent', reason: 'stands_already', detail: answer.error }
        : { kind: 'refused', errors: [answer.error] }
    case 'not_sent':
      return answer
    case 'lost':
      return notPresented(answer.detail)
  }
}

function notPresented(detail: string): FilingAnswer {
  return { kind: 'not_sent', reason: 'step_failed', detail }
}

/** Returns the cookies of an answer as a message carries them; several are parted by line ends. */
function cookiesOf(header: string): Record<string, string> {
  const pairs = header
    .split('\n')
    .map((each) => each.split(';', 1)[0]?.trim() ?? '')
    .filter((pair) => pair !== '')
  return pairs.length > 0 ? { cookie: pairs.join('; ') } : {}
}

/** Returns the records of a file; null unless each has 500 characters and only the first is record 1. */
function recordsOf({ text }: FiledText): { head: string; records: string[] } | null {
  const [head, ...records] = text.replace(/\r\n$/, '').split('\r\n')
  if (head === undefined || !isRecord(head, '1')) return null
  return records.every((record) => isRecord(record, '2')) ? { head, records } : null
}

const isRecord = (record: string, type: '1' | '2'): boolean =>
  record.length === RECORD_LENGTH && record.startsWith(type)

/** Returns the number that record 1 gives the declaration, 13 digits: its receipt number for later declarations. */
export function numberOf({ text }: FiledText): string {
  return text.slice(107, 120)
}

const SENDING = /^[\w-]{1,60}$/

/** Files an informative return. */
export async function fileInformative(
  transport: Transport,
  file: FiledText,
  { filer, signer }: FiledBy,
): Promise<FilingAnswer> {
  const read = recordsOf(file)
  if (read === null) return notPresented('The file does not consist of records of 500 characters.')
  const { head, records } = read
  const blocks = Math.ceil(records.length / MOST_RECORDS)
  if (blocks > MOST_BLOCKS)
    return { kind: 'not_sent', reason: 'too_many_records', detail: String(records.length) }
  const ask = async (step: StepName, headers: Record<string, string>, body?: string): Promise<StepAnswer> =>
    readStep(step, await transport(message(step, headers, body)))
  const opened = await ask(
    'InicializarEnvio',
    {
      MODELO: file.model,
      EJERCICIO: String(file.year),
      PERIODO: file.period,
      // The declarant of the file, whoever presents it.
      NDC: filer.nif,
      IDIOMA: LANGUAGE,
      NUMBLOQUES: String(blocks),
      CODIFICACION: ENCODING,
    },
    head,
  )
  if (opened.kind !== 'done') return certainFailure(opened)
  const id = opened.header('IDENVIO')
  if (!SENDING.test(id)) return notPresented('InicializarEnvio: the answer names no sending.')
  const sending = { IDENVIO: id, ...cookiesOf(opened.header('set-cookie')) }
  for (let block = 1; block <= blocks; block++) {
    const part = records.slice((block - 1) * MOST_RECORDS, block * MOST_RECORDS)
    const headers = { ...sending, NUMBLOQUE: String(block), CODIFICACION: ENCODING }
    const received = await ask('EnviarDatos', headers, part.join(''))
    if (received.kind !== 'done') return certainFailure(received)
    if (block < blocks) continue
    const wrong = received.header('TOTALT2KO')
    if (Number(wrong) > 0)
      // The sending stays at the agency as FINALIZADO: a trace, not a declaration.
      return {
        kind: 'refused',
        errors: errorsOf(
          await ask('RecuperarErrores', { ...sending, CODIFICACION: ENCODING }),
          `EnviarDatos: TOTALT2KO ${wrong}`,
        ),
      }
    const isWhole =
      received.header('ESTADO') === 'FINALIZADO' &&
      /^0+$/.test(wrong) &&
      Number(received.header('TOTALT2OK')) === records.length
    if (!isWhole) return notPresented('EnviarDatos: the answer does not say that every record was taken.')
  }
  return readPresented(
    await ask('PresentarEnvio', {
      ...sending,
      FIRNIF: signer.nif,
      // A header takes no other characters than these for certain.
      FIRNOMBRE: agencyText(signer.name, signer.name.length),
      FIR: SIGNATURE,
    }),
    { id, number: numberOf(file), count: records.length },
  )
}

const ERRORS_READ = 100
/** A wrong record, its line in the declaration, and what is wrong with it. */
const WRONG_RECORD = /^(.{500});\s*\((\d+)\)\s*(.*)$/

/** Returns the errors of the records; `summary` alone if they cannot be had. */
function errorsOf(answer: StepAnswer, summary: string): string[] {
  if (answer.kind !== 'done') return [summary]
  const lines = Buffer.from(answer.body)
    .toString('latin1')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, ERRORS_READ)
  const errors = lines.map((line) => {
    const [, record, at, error = ''] = WRONG_RECORD.exec(line) ?? []
    return record === undefined
      ? line.trim().slice(0, CHARACTERS_READ)
      : `${error.slice(0, CHARACTERS_READ)} (${at}: ${partyOf(record)})`
  })
  return errors.length > 0 ? errors : [summary]
}

/** Returns number and name of the party of a record 2. Source: the designs of records of each model. */
function partyOf(record: string): string {
  const parts =
    record.slice(1, 4) === '349'
      ? [record.slice(75, 92), record.slice(92, 132)]
      : [record.slice(17, 26), record.slice(35, 75)]
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
}

/** Reads the answer to PresentarEnvio. Only a whole acceptance with its code, or a refusal with one, is certain. */
function readPresented(
  answer: StepAnswer,
  { id, number, count }: { id: string; number: string; count: number },
): FilingAnswer {
  if (answer.kind === 'lost')
    return { kind: 'unknown', detail: `${answer.detail} (IDENVIO ${id})`, exchangeId: id }
  if (answer.kind !== 'done') return certainFailure(answer)
  const { header } = answer
  const csv = header('CSV')
  const isAccepted = header('ESTADO') === 'PRESENTADO' && CSV.test(csv) && header('IDENVIO') === id
  if (!isAccepted)
    return {
      kind: 'unknown',
      detail: `PresentarEnvio: the answer is neither an acceptance nor a refusal (IDENVIO ${id}).`,
      exchangeId: id,
    }
  const presented = header('NUMEROREGISTROS')
  return {
    kind: 'accepted',
    receipt: {
      csv,
      receipt: number,
      registerNumber: header('EXPEDIENTE') || null,
      presentedAt: null,
      documentUrl: null,
      notices: Number(presented) === count ? [] : [`NUMEROREGISTROS: ${presented} (${count})`],
      presented: null,
      exchangeId: id,
    },
  }
}

const STATES: readonly string[] = ['CREADO', 'FINALIZADO', 'PRESENTADO']

/**
 * Asks what is filed of a period. Both the state of the last sending and the list of returns must be readable: neither
 * alone shows that nothing is filed, because the last sending may be somebody else's, and the list may be late.
 */
export async function queryInformative(
  transport: Transport,
  of: { nif: string; name: string; model: string; year: number; period: string },
): Promise<QueryAnswer> {
  const last = readStep(
    'RecuperarEnvio',
    await transport(
      message('RecuperarEnvio', {
        MODELO: of.model,
        EJERCICIO: String(of.year),
        PERIODO: of.period,
        NDC: of.nif,
      }),
    ),
  )
  if (last.kind === 'lost' || last.kind === 'not_sent') return { kind: 'unavailable', detail: last.detail }
  const state = last.kind === 'done' ? last.header('ESTADO') : null
  if (state !== null && !STATES.includes(state))
    return { kind: 'unavailable', detail: 'RecuperarEnvio: the answer has no state that is known.' }
  const listed = readQueryAnswer(await transport(queryMessage(of)), of)
  // Refused: which code says that there is no sending is not known, so that the list decides.
  if (last.kind === 'refused' || state !== 'PRESENTADO' || listed.kind === 'unavailable') return listed
  return {
    kind: 'found',
    declared: listed.kind === 'found' ? listed.declared : [],
    presented: last.header('IDENVIO'),
  }
}
