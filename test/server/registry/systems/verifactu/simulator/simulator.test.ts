import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import {
  buildCancellation,
  buildRegistration,
} from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import {
  buildQuery,
  buildSubmission,
} from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readXml } from '../../../../../../server/registry/systems/verifactu/wire/reader.ts'
import { RECORD_MESSAGES } from '../../../../../../server/registry/systems/verifactu/simulator/messages/record-messages.ts'
import {
  cancellation,
  GENERATED_AT,
  invoice,
  ISSUER,
  NOW,
  openSimulator,
  PREVIOUS,
  submitted,
  SYSTEM,
  validCancellation,
  validInvoice,
  verdict,
} from '../../../samples.ts'
import { after, element, swap, without } from './spoil.ts'
import type { Spoil } from './spoil.ts'
import type {
  ChainLink,
  RegistryInvoice,
} from '../../../../../../server/registry/systems/verifactu/record/fields.ts'

describe('the simulator accepts', () => {
  test('every valid invoice, chained, each with its own verdict', async () => {
    await fc.assert(
      fc.asyncProperty(validInvoice, fc.boolean(), async (made, first) => {
        expect(verdict(await submitted(made, undefined, first ? { previous: null } : {}))).toBe('Correcto')
      }),
      { numRuns: 300 },
    )
  })

  test('every valid cancellation of an invoice that is not held', async () => {
    await fc.assert(
      fc.asyncProperty(validCancellation, async (made) => {
        const unregistered = { ...made, turn: 'unregistered' as const }
        const { xml } = buildCancellation(unregistered, PREVIOUS, SYSTEM, GENERATED_AT)
        const { simulator } = openSimulator()
        const message = buildSubmission({ issuer: { ...ISSUER, nif: made.key.issuerNif } }, [xml])
        expect(verdict(readReply(await simulator.submit(message)))).toBe('Correcto')
      }),
      { numRuns: 100 },
    )
  })

  test('a chain in several submissions; the answer names each record, the log has each once and in order', async () => {
    const { simulator, state } = openSimulator({ waitSeconds: 75 })
    let previous: ChainLink | null = null
    const hashes: string[] = []
    const records = ['F-1', 'F-2', 'F-3 & CO'].map((number) => {
      const { xml, hash } = buildRegistration(
        invoice({ number, recordId: `rec_${number}` }),
        previous,
        SYSTEM,
        GENERATED_AT,
      )
      hashes.push(hash)
      previous = { issuerNif: ISSUER.nif, number, issueDate: '2026-11-16', hash }
      return xml
    })
    const annulled = buildCancellation(
      cancellation({ key: { issuerNif: ISSUER.nif, number: 'F-1', issueDate: '2026-11-16' } }),
      previous,
      SYSTEM,
      GENERATED_AT,
    )
    const first = readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, records.slice(0, 2))))
    expect(first).toMatchObject({
      kind: 'answer',
      csv: 'A-00000000000001',
      presentedAt: '2026-11-16T10:00:02+01:00',
      issuerNif: ISSUER.nif,
      waitSeconds: 75,
      state: 'Correcto',
      lines: [
        {
          number: 'F-1',
          state: 'Correcto',
          operation: 'registration',
          recordRef: 'rec_F-1',
          issueDate: '2026-11-16',
        },
        { number: 'F-2', state: 'Correcto' },
      ],
    })
    const second = readReply(
      await simulator.submit(buildSubmission({ issuer: ISSUER }, [...records.slice(2), annulled.xml])),
    )
    expect(second).toMatchObject({
      csv: 'A-00000000000002',
      lines: [
        { number: 'F-3 & CO', state: 'Correcto' },
        { number: 'F-1', state: 'Correcto', operation: 'cancellation' },
      ],
    })
    expect(state.entries().map((entry) => [entry.number, entry.status, entry.requestId.length])).toEqual([
      ['F-1', 'cancelled', 20],
      ['F-2', 'active', 20],
      ['F-3 & CO', 'active', 20],
    ])
    expect(
      state.records().map((record) => [record.key.number, record.kind, record.hash, record.previousHash]),
    ).toEqual([
      ['F-1', 'registration', hashes[0], ''],
      ['F-2', 'registration', hashes[1], hashes[0]],
      ['F-3 & CO', 'registration', hashes[2], hashes[1]],
      ['F-1', 'cancellation', annulled.hash, hashes[2]],
    ])
    expect(state.records()[0]).toMatchObject({
      recordRef: 'rec_F-1',
      system: { producer: '89890001K', id: 'S1', installation: SYSTEM.installationNumber },
      at: '2026-11-16T10:00:02+01:00',
    })
  })

  test('concurrent submissions one at a time', async () => {
    const { simulator } = openSimulator()
    const message = buildSubmission({ issuer: ISSUER }, [
      buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    ])
    const replies = await Promise.all([simulator.submit(message), simulator.submit(message)])
    expect(replies.map((reply) => verdict(readReply(reply)))).toEqual(['Correcto', 'Incorrecto 3000'])
  })

  test('a representative who presents for the issuer', async () => {
    const { simulator } = openSimulator()
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT)
    const representative = { name: 'GESTORÍA & CÍA', nif: 'B12345674' }
    const answer = await simulator.submit(buildSubmission({ issuer: ISSUER, representative }, [xml]))
    expect(answer).toContain('<sf:NIFPresentador>B12345674</sf:NIFPresentador>')
    expect(answer).toContain('<sf:NombreRazon>GESTORÍA &amp; CÍA</sf:NombreRazon>')
  })
})

describe('one fault in a message', () => {
  const plain = invoice()
  const abroad = invoice({ recipients: [{ name: 'C', country: 'US', idType: '04', id: 'X1' }] })
  const line =
    '<sf:DetalleDesglose><sf:ClaveRegimen>01</sf:ClaveRegimen><sf:OperacionExenta>E1</sf:OperacionExenta><sf:BaseImponibleOimporteNoSujeto>1</sf:BaseImponibleOimporteNoSujeto></sf:DetalleDesglose>'
  const customer =
    '<sf:IDDestinatario><sf:NombreRazon>C</sf:NombreRazon><sf:NIF>89890002E</sf:NIF></sf:IDDestinatario>'
  const representative = (nif: string, name = 'R') =>
    `<sf:Representante><sf:NombreRazon>${name}</sf:NombreRazon><sf:NIF>${nif}</sf:NIF></sf:Representante>`
  const wholeItem = /<sfLR:RegistroFactura>.*<\/sfLR:RegistroFactura>/s

  test.each<[string, RegistryInvoice, Spoil, string]>([
    ['nothing', plain, () => '', 'fault 4138'],
    ['blanks', plain, () => ' \n\t', 'fault 4138'],
    ['cut off', plain, (xml) => xml.slice(0, -20), 'fault 4103'],
    ['a DOCTYPE', plain, swap('<soapenv:Envelope', '<!DOCTYPE x><soapenv:Envelope'), 'fault 4103'],
    ['a comment', plain, swap('<sf:TipoFactura>', '<!-- x --><sf:TipoFactura>'), 'fault 4103'],
    ['another declared encoding', plain, swap('UTF-8', 'ISO-8859-1'), 'fault 4119'],
    ['no body', plain, swap(/<soapenv:Body>.*<\/soapenv:Body>/s, ''), 'fault 4102'],
    ['another envelope', plain, (xml) => xml.replaceAll('soap/envelope/', 'soap12/envelope/'), 'fault 4102'],
    [
      'the namespace of the download folder',
      plain,
      (xml) => xml.replaceAll('/tike/', '/tikeV1.0/'),
      'fault 4102',
    ],
    [
      "record children in the submission's namespace",
      plain,
      (xml) => xml.replaceAll('sf:TipoFactura', 'sfLR:TipoFactura'),
      'fault 4102',
    ],
    ['no header', plain, swap(/<sfLR:Cabecera>.*<\/sfLR:Cabecera>/s, ''), 'fault 4102'],
    ['no record', plain, swap(wholeItem, ''), 'fault 4102'],
    [
      'an empty place for a record',
      plain,
      swap(wholeItem, '<sfLR:RegistroFactura></sfLR:RegistroFactura>'),
      'fault 4136',
    ],
    [
      'something before the registration',
      plain,
      swap('<sfLR:RegistroFactura>', '<sfLR:RegistroFactura><sf:Nuevo/>'),
      'fault 4136',
    ],
    [
      'something before a cancellation',
      plain,
      swap(
        wholeItem,
        '<sfLR:RegistroFactura><sf:Nuevo/><sf:RegistroAnulacion></sf:RegistroAnulacion></sfLR:RegistroFactura>',
      ),
      'fault 4137',
    ],
    ['1001 records', plain, (xml) => xml.replace(wholeItem, (item) => item.repeat(1001)), 'fault 4114'],
    [
      'a second record in one place',
      plain,
      swap(/<sf:RegistroAlta .*<\/sf:RegistroAlta>/s, '<sf:RegistroAlta/><sf:RegistroAlta/>'),
      'fault 4102',
    ],
    ['no version', plain, without('IDVersion'), 'fault 4102'],
    ['another version', plain, element('IDVersion', '1.1'), 'fault 4102'],
    ['no number', plain, without('NumSerieFactura'), 'fault 4102'],
    ['an empty number', plain, element('NumSerieFactura', ''), 'fault 4102'],
    ['61 characters of number', plain, element('NumSerieFactura', 'F'.repeat(61)), 'fault 4102'],
    ['a day the other way round', plain, element('FechaExpedicionFactura', '2026-11-16'), 'fault 4102'],
    ['blanks around a day', plain, element('FechaExpedicionFactura', ' 16-11-2026 '), 'fault 4102'],
    ['blanks around a code', plain, element('TipoFactura', ' F1'), 'fault 4102'],
    [
      'elements out of order',
      plain,
      (xml) =>
        after('DescripcionOperacion', '<sf:TipoFactura>F1</sf:TipoFactura>')(without('TipoFactura')(xml)),
      'fault 4102',
    ],
    ['an element twice', plain, after('TipoFactura', '<sf:TipoFactura>F1</sf:TipoFactura>'), 'fault 4102'],
    ['an unknown element', plain, after('TipoFactura', '<sf:Nuevo>1</sf:Nuevo>'), 'fault 4102'],
    ['an unknown kind', plain, element('TipoFactura', 'F9'), 'fault 4102'],
    ['a kind inside a kind', plain, element('TipoFactura', '<sf:X>F1</sf:X>'), 'fault 4102'],
    ['an empty flag', plain, after('DescripcionOperacion', '<sf:Macrodato></sf:Macrodato>'), 'fault 4102'],
    ['121 characters of name', plain, element('NombreRazonEmisor', 'N'.repeat(121)), 'fault 4102'],
    ['a comma in an amount', plain, element('ImporteTotal', '121,00'), 'fault 4102'],
    ['three decimals', plain, element('CuotaTotal', '21.000'), 'fault 4102'],
    ['13 digits', plain, element('ImporteTotal', '1000000000000.00'), 'fault 4102'],
    [
      '13 breakdown lines',
      plain,
      swap(/<sf:DetalleDesglose>.*?<\/sf:DetalleDesglose>/s, line.repeat(13)),
      'fault 4113',
    ],
    [
      '1001 customers',
      plain,
      swap(/<sf:IDDestinatario>.*?<\/sf:IDDestinatario>/s, customer.repeat(1001)),
      'fault 4113',
    ],
    [
      'treatment and exemption together',
      plain,
      after('CalificacionOperacion', '<sf:OperacionExenta>E1</sf:OperacionExenta>'),
      'fault 4102',
    ],
    ['neither treatment nor exemption', plain, without('CalificacionOperacion'), 'fault 4102'],
    ['no chain', plain, without('Encadenamiento'), 'fault 4102'],
    [
      'both first and chained',
      plain,
      swap('<sf:RegistroAnterior>', '<sf:PrimerRegistro>S</sf:PrimerRegistro><sf:RegistroAnterior>'),
      'fault 4102',
    ],
    [
      'an incomplete previous record',
      plain,
      swap(/<sf:Huella>[0-9A-F]{64}<\/sf:Huella><\/sf:RegistroAnterior>/, '</sf:RegistroAnterior>'),
      'fault 4102',
    ],
    ['no system', plain, without('SistemaInformatico'), 'fault 4102'],
    [
      '31 characters of system name',
      plain,
      element('NombreSistemaInformatico', 'S'.repeat(31)),
      'fault 4102',
    ],
    ['another kind of hash', plain, element('TipoHuella', '02'), 'fault 4102'],
    [
      'no hash',
      plain,
      swap(/<sf:Huella>[0-9A-F]{64}<\/sf:Huella><\/sf:RegistroAlta>/, '</sf:RegistroAlta>'),
      'fault 4102',
    ],
    ['an unknown country', abroad, element('CodigoPais', 'ZZ'), 'fault 4102'],
    ['a time without form', plain, element('FechaHoraHusoGenRegistro', '16-11-2026 10:00'), 'fault 4102'],
    ['a bad issuer in the header', plain, element('NIF', '89890001A'), 'fault 4116'],
    ['an issuer the census does not know', plain, element('NIF', '99999999R'), 'fault 4104'],
    ['a person as issuer without a name', plain, element('NombreRazon', ' '), 'fault 1282'],
    ['a bad representative', plain, after('ObligadoEmision', representative('89890001A')), 'fault 4117'],
    [
      'a representative the census does not know',
      plain,
      after('ObligadoEmision', representative('99999999R')),
      'fault 4123',
    ],
    [
      'the answer to a request',
      plain,
      after(
        'ObligadoEmision',
        '<sf:RemisionRequerimiento><sf:RefRequerimiento>X</sf:RefRequerimiento></sf:RemisionRequerimiento>',
      ),
      'fault 4126',
    ],
    [
      'leaving in the middle of a year',
      plain,
      after(
        'ObligadoEmision',
        '<sf:RemisionVoluntaria><sf:FechaFinVeriFactu>30-06-2026</sf:FechaFinVeriFactu></sf:RemisionVoluntaria>',
      ),
      'fault 4120',
    ],
    [
      'leaving on a day that is none',
      plain,
      after(
        'ObligadoEmision',
        '<sf:RemisionVoluntaria><sf:FechaFinVeriFactu>31-11-2026</sf:FechaFinVeriFactu></sf:RemisionVoluntaria>',
      ),
      'fault 4106',
    ],
  ])('gets its code: %s', async (_what, made, spoil, expected) => {
    expect(verdict(await submitted(made, spoil))).toBe(expected)
  })

  test('gets a fault for bytes that are not UTF-8', async () => {
    const { simulator } = openSimulator()
    const { xml } = buildRegistration(plain, PREVIOUS, SYSTEM, GENERATED_AT)
    const message = buildSubmission({ issuer: { ...ISSUER, name: 'PEÑA' } }, [xml])
    const answer = await simulator.receive(Buffer.from(message, 'latin1'))
    expect(answer).toMatchObject({ kind: 'fault', body: expect.stringContaining('Codigo[4119].') })
    expect(verdict(readReply((await simulator.receive(Buffer.from(message, 'utf8'))).body))).toBe('Correcto')
  })

  test('gets a code for names that differ in the census', async () => {
    const census = {
      unknown: ['89890003T'],
      names: { '89890001K': 'Emisor de Éjemplo', '89890002E': 'Ana Gil Ruiz' },
    }
    const send = async (made: RegistryInvoice, spoil?: Spoil) =>
      verdict(await submitted(made, spoil, { census }))
    const named = (name: string) => invoice({ recipients: [{ name, nif: '89890002E' }] })
    expect(await send(named('GIL RUIZ, ANA'))).toBe('Correcto')
    expect(await send(named('GIL RUIZ EVA'))).toBe('Incorrecto 1110')
    expect(await send(named('ANA GIL RUIZ'), swap('EMISOR DE EJEMPLO', 'OTRO'))).toBe('fault 4104')
    expect(
      await send(named('ANA GIL RUIZ'), after('ObligadoEmision', representative('89890002E', 'EVA'))),
    ).toBe('fault 4124')
    expect(await send(named('ANA GIL RUIZ'), after('ObligadoEmision', representative('89890003T')))).toBe(
      'fault 4123',
    )
  })

  test('is not a signature, which records of the other mode have and which is not checked', async () => {
    const sign = (xml: string) =>
      xml.replace(
        '</sf:RegistroAlta>',
        '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo/></ds:Signature></sf:RegistroAlta>',
      )
    expect(verdict(await submitted(plain, sign))).toBe('Correcto')
  })

  test('is reported with the element, and with the person in the census', async () => {
    expect(await submitted(plain, without('NombreRazonEmisor'))).toMatchObject({
      faultCode: 'Client',
      message: expect.stringContaining('NombreRazonEmisor'),
    })
    expect(await submitted(plain, element('NIF', '99999999R'))).toMatchObject({
      message: expect.stringContaining('NIF:99999999R. NOMBRE_RAZON:EMISOR DE EJEMPLO'),
    })
  })

  test('in the issue date is echoed as received', async () => {
    const { xml } = buildRegistration(plain, PREVIOUS, SYSTEM, GENERATED_AT)
    const spoiled = element(
      'FechaExpedicionFactura',
      '30-02-2026',
    )(buildSubmission({ issuer: ISSUER }, [xml]))
    const answer = await openSimulator().simulator.submit(spoiled)
    expect(answer).toContain('<sf:FechaExpedicionFactura>30-02-2026</sf:FechaExpedicionFactura>')
    expect(answer).toContain('<sfR:CodigoErrorRegistro>1105</sfR:CodigoErrorRegistro>')
  })

  test('registers nothing, whether the message is refused or the record rejected', async () => {
    const { simulator, state } = openSimulator()
    const message = buildSubmission({ issuer: ISSUER }, [
      buildRegistration(plain, PREVIOUS, SYSTEM, GENERATED_AT).xml,
    ])
    await simulator.submit(without('IDVersion')(message))
    await simulator.submit(without('Destinatarios')(message))
    expect(state.entries()).toEqual([])
    expect(state.records()).toEqual([])
  })
})

describe('any message', () => {
  const letters = fc.constantFrom(
    '',
    ' ',
    '<',
    '>',
    '&',
    '&#13;',
    '&#x1;',
    '\u0000',
    '\ud800',
    'ñ',
    '"',
    "'",
    '-',
    '9',
    'S',
    '</sf:',
    ']]>',
  )
  const hurt = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat(40), by: letters })

  test('gets an answer in XML, and a refused one leaves no trace', async () => {
    await fc.assert(
      fc.asyncProperty(validInvoice, fc.array(hurt, { minLength: 1, maxLength: 3 }), async (made, wounds) => {
        const { simulator, state } = openSimulator()
        let xml = buildSubmission({ issuer: ISSUER }, [
          buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT).xml,
        ])
        for (const { at, length, by } of wounds) {
          const start = Math.floor(at * xml.length)
          xml = xml.slice(0, start) + by + xml.slice(start + length)
        }
        const answer = readXml(await simulator.submit(xml))
        expect(answer.name).toBe('Envelope')
        const content = answer.children[1]?.children[0]?.name
        if (content === 'Fault') expect(state.records()).toEqual([])
        else expect(content).toBe('RespuestaRegFactuSistemaFacturacion')
      }),
      { numRuns: 500 },
    )
  })

  test('gets a carriage return echoed as a character reference', async () => {
    const { simulator } = openSimulator()
    const message = buildSubmission({ issuer: ISSUER }, [
      buildRegistration(plainWith('A\nB'), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    ])
    const spoiled = message.replace('EMISOR DE EJEMPLO', 'EMISOR&#13;DE EJEMPLO').replace('A\nB', 'A&#13;B')
    expect(await simulator.submit(spoiled)).toContain(
      '<sf:NombreRazon>EMISOR&#13;DE EJEMPLO</sf:NombreRazon>',
    )
    const held = await simulator.query(buildQuery({ issuer: ISSUER, month: '2026-11' }))
    expect(held).toContain('<q:DescripcionOperacion>A&#13;B</q:DescripcionOperacion>')
  })
})

const plainWith = (description: string) => invoice({ description })

describe('the same invoice again', () => {
  test('is a duplicate, and the answer states how the first was accepted', async () => {
    const { simulator } = openSimulator()
    const send = async (made: RegistryInvoice) => {
      const { xml } = buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT)
      return readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml])))
    }
    expect(verdict(await send(invoice()))).toBe('Correcto')
    const again = await send(invoice())
    expect(again).toMatchObject({
      state: 'Incorrecto',
      lines: [
        {
          code: '3000',
          message: RECORD_MESSAGES['3000'],
          duplicate: { state: 'Correcta', requestId: '20261116090002000001' },
        },
      ],
    })
    expect(again).not.toHaveProperty('csv')
    expect(verdict(await send(invoice({ number: 'F-9', totalCents: 99_999 })))).toBe(
      'AceptadoConErrores 2005',
    )
    expect(await send(invoice({ number: 'F-9' }))).toMatchObject({
      lines: [{ duplicate: { state: 'AceptadaConErrores', code: '2005' } }],
    })
    expect(verdict(await send(invoice({ issueDate: '2026-11-15' })))).toBe('Correcto')
  })

  test('is a duplicate in one submission too, beside valid records', async () => {
    const records = ['F-1', 'F-1', 'F-2'].map(
      (number) => buildRegistration(invoice({ number }), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    )
    const reply = readReply(
      await openSimulator().simulator.submit(buildSubmission({ issuer: ISSUER }, records)),
    )
    expect(reply).toMatchObject({
      state: 'ParcialmenteCorrecto',
      csv: 'A-00000000000001',
      lines: [{ state: 'Correcto' }, { state: 'Incorrecto', code: '3000' }, { state: 'Correcto' }],
    })
  })

  test("differs from a second beginning of one installation's chain, which causes a warning", async () => {
    const { simulator } = openSimulator()
    const send = async (number: string, installationNumber: string) => {
      const { xml } = buildRegistration(
        invoice({ number }),
        null,
        { ...SYSTEM, installationNumber },
        GENERATED_AT,
      )
      return verdict(readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, [xml]))))
    }
    expect(await send('F-1', 'A')).toBe('Correcto')
    expect(await send('F-2', 'A')).toBe('AceptadoConErrores 2007')
    expect(await send('F-3', 'B')).toBe('Correcto')
    // Also inside one message.
    const records = ['G-1', 'G-2'].map(
      (number) =>
        buildRegistration(invoice({ number }), null, { ...SYSTEM, installationNumber: 'C' }, GENERATED_AT)
          .xml,
    )
    expect(readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, records)))).toMatchObject({
      lines: [{ state: 'Correcto' }, { state: 'AceptadoConErrores', code: '2007' }],
    })
  })
})

describe('the state of the simulator', () => {
  test('that fails affects only that submission, of which nothing is stored', async () => {
    const { state } = openSimulator()
    let broken = true
    const write: typeof state.write = async (changes) => {
      if (broken) throw new Error('disk full')
      return state.write(changes)
    }
    const { simulator } = openSimulator({ state: { ...state, write } })
    const message = buildSubmission({ issuer: ISSUER }, [
      buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    ])
    await expect(simulator.submit(message)).rejects.toThrow('disk full')
    expect(state.records()).toEqual([])
    broken = false
    expect(verdict(readReply(await simulator.submit(message)))).toBe('Correcto')
    expect(state.records()).toHaveLength(1)
  })

  test('lets other work run during a message of a thousand records', async () => {
    const records = Array.from(
      { length: 1000 },
      (_, index) => buildRegistration(invoice({ number: `F-${index}` }), PREVIOUS, SYSTEM, GENERATED_AT).xml,
    )
    const { simulator, state } = openSimulator()
    let turns = 0
    let beat = setImmediate(function again() {
      turns += 1
      beat = setImmediate(again)
    })
    const reply = readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, records)))
    clearImmediate(beat)
    expect(reply).toMatchObject({ state: 'Correcto' })
    expect(state.records()).toHaveLength(1000)
    expect(turns).toBeGreaterThanOrEqual(19)
  })
})

describe('the pace', () => {
  const record = (number: string) =>
    buildRegistration(invoice({ number }), PREVIOUS, SYSTEM, GENERATED_AT).xml
  const opened = (earlySends: 'taken' | 'fault' | 'refused') => {
    let now = NOW.getTime()
    const { simulator } = openSimulator({ earlySends, waitSeconds: 60, now: () => new Date(now) })
    const send = (...numbers: string[]) =>
      simulator.receive(buildSubmission({ issuer: ISSUER }, numbers.map(record), { incident: true }))
    return { send, pass: (seconds: number) => (now += seconds * 1000) }
  }

  test('is not enforced by default', async () => {
    const { send } = opened('taken')
    expect((await send('F-1')).kind).toBe('answer')
    expect((await send('F-2')).kind).toBe('answer')
  })

  test.each([
    ['fault', 'fault'],
    ['refused', 'too_early'],
  ] as const)(
    'of early submissions: %s; after the wait they are accepted, and so is a full message immediately',
    async (how, kind) => {
      const { send, pass } = opened(how)
      expect((await send('F-1')).kind).toBe('answer')
      pass(59)
      const early = await send('F-2')
      expect(early.kind).toBe(kind)
      if (how === 'fault') expect(readReply(early.body)).toMatchObject({ code: '4134' })
      pass(1)
      expect((await send('F-2')).kind).toBe('answer')
      expect((await send(...Array.from({ length: 1000 }, (_, index) => `G-${index}`))).kind).toBe('answer')
    },
  )
})
