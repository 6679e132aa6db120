/** Takes files of one message: reads each, holds it against the rules, and collects what the message changes. */
import type { RecordKey } from '../wire/outcome.ts'
import { chainOf, readFile, UnfitFile } from './documents.ts'
import type { ReceivedFile } from './documents.ts'
import { brokenRules, REFUSALS, REMARKS } from './rules.ts'
import type { VerifySignature } from './rules.ts'
import { fileKeyText } from './state.ts'
import type { ChainHead, HeldFile, ServiceState } from './state.ts'

export interface RegisterOptions {
  state: ServiceState
  now: () => Date
  verify: VerifySignature
  /** Certificates whose holder acts for others: tax number of the holder, and of the issuer. */
  powers?: readonly { nif: string; for: string }[]
  /** Tax numbers that the census does not know, besides 99999999R. */
  unknown?: readonly string[]
  /** Licences of the register of programs; every one by default. */
  licences?: readonly string[]
}

interface CodedRemark {
  code: string
  text: string
  basque: string
}

export interface FileVerdict {
  /** Null when no fact could be read from the file. */
  file: ReceivedFile | null
  kept: boolean
  codes: CodedRemark[]
}

const UNKNOWN_TO_CENSUS = '99999999R'

/** The changes of one message: it sees its own earlier files. */
export class Intake {
  private readonly options: RegisterOptions
  private readonly callers: readonly string[]
  private readonly changed = new Map<string, HeldFile>()
  private readonly heads = new Map<string, ChainHead>()
  private sequence: number | null = null

  constructor(options: RegisterOptions, callers: readonly string[]) {
    this.options = options
    this.callers = callers
  }

  /** Takes one file. `income` is stored beside it; `extra` refuses it for a reason of the message. */
  async take(
    bytes: Uint8Array,
    {
      income = '',
      extra = () => null,
    }: { income?: string; extra?: (file: ReceivedFile) => CodedRemark | null } = {},
  ): Promise<FileVerdict> {
    let file: ReceivedFile
    try {
      file = readFile(bytes)
    } catch (error) {
      if (!(error instanceof UnfitFile)) throw error
      return { file: null, kept: false, codes: [UNFIT(error.message)] }
    }
    const refusal = extra(file)
    if (refusal) return { file, kept: false, codes: [refusal] }
    const { now, verify, powers = [], unknown = [], licences = null } = this.options
    const held = await this.find(file.key)
    const isSigned = file.kind === 'invoice' || file.kind === 'cancellation'
    const context = {
      now: now(),
      callers: this.callers,
      maySend: (nifs: readonly string[], issuerNif: string) =>
        nifs.some(
          (nif) => nif === issuerNif || powers.some((power) => power.nif === nif && power.for === issuerNif),
        ),
      knows: (nif: string) => nif !== UNKNOWN_TO_CENSUS && !unknown.includes(nif),
      licences,
      verdict: isSigned ? await verify(file.xml) : null,
      held,
      head: file.kind === 'invoice' ? await this.head(chainOf(file)) : null,
    }
    const [refused] = brokenRules(REFUSALS, file, context)
    if (refused) return { file, kept: false, codes: [refused] }
    const codes = brokenRules(REMARKS, file, context)
    await this.keep(file, held, codes, income)
    return { file, kept: true, codes }
  }

  /** Stores what was taken. */
  async commit(): Promise<void> {
    if (this.changed.size > 0) await this.options.state.write([...this.changed.values()], [])
  }

  private async find(key: RecordKey): Promise<HeldFile | null> {
    return this.changed.get(fileKeyText(key)) ?? (await this.options.state.find(key))
  }

  private async head(chain: string): Promise<ChainHead | null> {
    return this.heads.get(chain) ?? (await this.options.state.head(chain))
  }

  private async keep(
    file: ReceivedFile,
    held: HeldFile | null,
    codes: readonly CodedRemark[],
    income: string,
  ): Promise<void> {
    const at = this.options.now().toISOString()
    const remarks = codes.map(({ code, text }) => ({ code, text }))
    const presenterNif = this.callers[0] ?? ''
    const put = (next: HeldFile): void => {
      this.changed.set(fileKeyText(next.key), next)
    }
    if (held && file.kind !== 'invoice') {
      const isCancellation = file.kind !== 'correction'
      put({
        ...held,
        ...(isCancellation
          ? { status: 'cancelled' as const, cancellation: file.xml }
          : { xml: file.xml, remarks }),
        corrections: held.corrections + (file.kind === 'cancellation' ? 0 : 1),
        modifiedAt: at,
        presenterNif,
      })
      return
    }
    this.sequence = (this.sequence ?? (await this.options.state.lastSequence())) + 1
    const own = chainOf(file)
    // A file that was refused and is corrected later stands in the chain only where the chain waits for it.
    const head = await this.head(own)
    const chain =
      file.kind === 'invoice' || (file.previous?.signature ?? null) === (head?.signature ?? null) ? own : ''
    put({
      sequence: this.sequence,
      key: file.key,
      status: 'active',
      remarks,
      signature: file.signature,
      chain,
      previous: file.previous?.signature ?? null,
      income,
      presentedAt: at,
      modifiedAt: at,
      presenterNif,
      xml: file.xml,
      cancellation: null,
      corrections: file.kind === 'correction' ? 1 : 0,
    })
    if (chain !== '') this.heads.set(chain, { key: file.key, signature: file.signature })
  }
}

const UNFIT = (detail: string): CodedRemark => ({
  code: '002',
  text: `El fichero no cumple el esquema: ${detail}.`.slice(0, 250),
  basque: `Fitxategiak ez du eskema betetzen: ${detail}.`.slice(0, 250),
})
