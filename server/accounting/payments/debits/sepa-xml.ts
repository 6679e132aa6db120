/** Writes ISO 20022 bank files: pain.008 for direct debits and pain.001 for transfers, with elements in schema order. */
import { centsToText } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { xmlDocument } from '../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import { bankText } from '../../../domain/formats/bank-text.ts'
import { bankReference } from './sepa-identifiers.ts'

interface FileItem {
  endToEndId: string
  cents: Cents
  name: string
  iban: string
  bic: string | null
  /** Text on the counterparty's statement. */
  text: string
}

interface DebitItem extends FileItem {
  sequence: 'FRST' | 'RCUR' | 'OOFF' | 'FNAL'
  mandate: { reference: string; signedOn: string }
}

interface FileHead {
  messageId: string
  /** Local time without offset, `YYYY-MM-DDThh:mm:ss`. */
  createdAt: string
  executionDate: string
  name: string
  iban: string
  bic: string | null
}

export interface DebitFile extends FileHead {
  version: '02' | '08'
  scheme: 'CORE' | 'B2B'
  creditorId: string
  items: readonly DebitItem[]
}

interface TransferFile extends FileHead {
  version: '03' | '09'
  /** NIF of the ordering party, as the bank knows it. */
  nif: string
  items: readonly FileItem[]
}

const NAME_MAX = 70
const TEXT_MAX = 140

function sum(items: readonly FileItem[]): string {
  return centsToText(items.reduce((total, { cents }) => total + cents, 0))
}

function agent(name: string, bic: string | null, bicElement: 'BIC' | 'BICFI'): XmlNode {
  return [name, [['FinInstnId', bic === null ? [['Othr', [['Id', 'NOTPROVIDED']]]] : [[bicElement, bic]]]]]
}

const account = (name: string, iban: string): XmlNode => [name, [['Id', [['IBAN', iban]]]]]
const party = (name: string, text: string): XmlNode => [name, [['Nm', bankText(text, NAME_MAX)]]]

function header(head: FileHead, items: readonly FileItem[], id: string): XmlNode {
  return [
    'GrpHdr',
    [
      ['MsgId', bankReference(head.messageId)],
      ['CreDtTm', head.createdAt],
      ['NbOfTxs', String(items.length)],
      ['CtrlSum', sum(items)],
      [
        'InitgPty',
        [
          ['Nm', bankText(head.name, NAME_MAX)],
          ['Id', [['OrgId', [['Othr', [['Id', id]]]]]]],
        ],
      ],
    ],
  ]
}

function documentOf(message: string, root: XmlNode): string {
  return xmlDocument(['Document', [root], `xmlns="urn:iso:std:iso:20022:tech:xsd:${message}"`])
}

function debit(item: DebitItem, bicElement: 'BIC' | 'BICFI'): XmlNode {
  return [
    'DrctDbtTxInf',
    [
      ['PmtId', [['EndToEndId', bankReference(item.endToEndId)]]],
      ['InstdAmt', centsToText(item.cents), 'Ccy="EUR"'],
      [
        'DrctDbtTx',
        [
          [
            'MndtRltdInf',
            [
              ['MndtId', item.mandate.reference],
              ['DtOfSgntr', item.mandate.signedOn],
            ],
          ],
        ],
      ],
      agent('DbtrAgt', item.bic, bicElement),
      party('Dbtr', item.name),
      account('DbtrAcct', item.iban),
      ['RmtInf', [['Ustrd', bankText(item.text, TEXT_MAX)]]],
    ],
  ]
}

const SEQUENCES = ['FRST', 'RCUR', 'FNAL', 'OOFF'] as const

/**
 * Returns direct debits as pain.008.001.02 or .08, with one block per sequence type, because the type is a property
 * of the block. Sources: ISO 20022; EPC130-08 (core) and EPC131-08 (B2B) implementation guidelines.
 */
export function debitXml(file: DebitFile): string {
  const bicElement = file.version === '02' ? 'BIC' : 'BICFI'
  const blocks = SEQUENCES.flatMap((sequence): XmlNode[] => {
    const items = file.items.filter((item) => item.sequence === sequence)
    if (items.length === 0) return []
    return [
      [
        'PmtInf',
        [
          ['PmtInfId', bankReference(`${file.messageId}-${sequence}`)],
          ['PmtMtd', 'DD'],
          ['BtchBookg', 'true'],
          ['NbOfTxs', String(items.length)],
          ['CtrlSum', sum(items)],
          [
            'PmtTpInf',
            [
              ['SvcLvl', [['Cd', 'SEPA']]],
              ['LclInstrm', [['Cd', file.scheme]]],
              ['SeqTp', sequence],
            ],
          ],
          ['ReqdColltnDt', file.executionDate],
          party('Cdtr', file.name),
          account('CdtrAcct', file.iban),
          agent('CdtrAgt', file.bic, bicElement),
          ['ChrgBr', 'SLEV'],
          [
            'CdtrSchmeId',
            [
              [
                'Id',
                [
                  [
                    'PrvtId',
                    [
                      [
                        'Othr',
                        [
                          ['Id', file.creditorId],
                          ['SchmeNm', [['Prtry', 'SEPA']]],
                        ],
                      ],
                    ],
                  ],
                ],
              ],
            ],
          ],
          ...items.map((item) => debit(item, bicElement)),
        ],
      ],
    ]
  })
  return documentOf(`pain.008.001.${file.version}`, [
    'CstmrDrctDbtInitn',
    [header(file, file.items, file.creditorId), ...blocks],
  ])
}

/** Returns transfers as pain.001.001.03 or .09. Sources: ISO 20022; EPC132-08 implementation guidelines. */
export function transferXml(file: TransferFile): string {
  const isNew = file.version === '09'
  const bicElement = isNew ? 'BICFI' : 'BIC'
  const transfers = file.items.map((item): XmlNode => [
    'CdtTrfTxInf',
    [
      ['PmtId', [['EndToEndId', bankReference(item.endToEndId)]]],
      ['Amt', [['InstdAmt', centsToText(item.cents), 'Ccy="EUR"']]],
      item.bic === null ? undefined : agent('CdtrAgt', item.bic, bicElement),
      party('Cdtr', item.name),
      account('CdtrAcct', item.iban),
      ['RmtInf', [['Ustrd', bankText(item.text, TEXT_MAX)]]],
    ],
  ])
  return documentOf(`pain.001.001.${file.version}`, [
    'CstmrCdtTrfInitn',
    [
      header(file, file.items, file.nif),
      [
        'PmtInf',
        [
          ['PmtInfId', bankReference(`${file.messageId}-1`)],
          ['PmtMtd', 'TRF'],
          ['BtchBookg', 'true'],
          ['NbOfTxs', String(file.items.length)],
          ['CtrlSum', sum(file.items)],
          ['PmtTpInf', [['SvcLvl', [['Cd', 'SEPA']]]]],
          ['ReqdExctnDt', isNew ? [['Dt', file.executionDate]] : file.executionDate],
          party('Dbtr', file.name),
          account('DbtrAcct', file.iban),
          agent('DbtrAgt', file.bic, bicElement),
          ['ChrgBr', 'SLEV'],
          ...transfers,
        ],
      ],
    ],
  ])
}
