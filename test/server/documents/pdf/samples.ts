/** Typical and extreme invoices for the document tests. */
import { computeTotals, listedCents, netUnitPrice } from '../../../../server/domain/tax/totals.ts'
import type { InvoicePaper, PaperLine, PaperPayment } from '../../../../server/documents/pdf/paper.ts'
import { sepaQrText } from '../../../../server/documents/pdf/sepa-qr.ts'
import { FOREIGN_LINES, IDENTIFIED, manyLines, sampleInstalments, sampleLogo } from './sample-parts.ts'

export { manyLines } from './sample-parts.ts'

export interface SampleLine extends Partial<
  Omit<PaperLine, 'netCents' | 'listedCents' | 'netUnitPriceMicro'>
> {
  withholdable?: boolean
}

type SampleOptions = Partial<Omit<InvoicePaper, 'lines'>> & {
  lines?: SampleLine[]
  withholdingRateBp?: number
}

const MICRO = 1_000_000

export const QR_URL =
  'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B83456781&numserie=F2026-0042&fecha=03-06-2026&importe=4926.19'

/** Returns a transfer to the company's account. */
export function samplePayment(options: Partial<PaperPayment> = {}): PaperPayment {
  return {
    method: 'Transferencia bancaria a 30 días',
    chargedOn: null,
    account: 'ES9121000418450200051332',
    reference: null,
    qr: null,
    ...options,
  }
}

/** Returns a document with consistent figures; the test states only what it needs. */
export function samplePaper(options: SampleOptions = {}): InvoicePaper {
  const { lines: given = [{}], withholdingRateBp, ...rest } = options
  const lines = given.map((line) => ({
    description: 'Mantenimiento mensual del sitio web',
    quantityMicro: MICRO,
    unit: null,
    unitPriceMicro: 100 * MICRO,
    discountBp: 0,
    taxTreatment: 'S1' as const,
    vatRateBp: 2100,
    surchargeRateBp: null,
    isDisbursement: false,
    regimeKey: '01',
    discountCents: 0,
    costCents: null,
    isMargin: false,
    withholdable: true,
    ...line,
  }))
  const priceMode = rest.priceMode ?? 'net'
  const listed = lines.map((line) => ({
    cents: listedCents(line),
    unitPriceMicro: line.isMargin ? line.unitPriceMicro : netUnitPrice(line, priceMode),
  }))
  const totals = computeTotals(lines, { priceMode, withholdingRateBp: withholdingRateBp ?? null })
  return {
    language: 'es',
    document: 'invoice',
    format: 'a4',
    hidesPrices: false,
    kind: 'F1',
    taxName: 'IVA',
    currency: 'EUR',
    inEuros: null,
    references: [],
    rectification: null,
    validUntil: null,
    documentDiscountCents: totals.documentDiscountCents,
    documentDiscount: { rateBp: 0, cents: 0 },
    outsideCents: totals.outsideCents,
    replacedCents: 0,
    state: 'issued',
    environment: 'production',
    priceMode,
    number: 'F2026-0042',
    issueDate: '2026-06-03',
    operationDate: null,
    dueDate: '2026-07-03',
    instalments: [],
    issuer: {
      name: 'Estudio Peña & Muñoz, S.L.',
      nif: 'B83456781',
      street: 'Calle de la Palma, 27, 2.º izda.',
      postalCode: '28004',
      city: 'Madrid',
      province: 'Madrid',
      country: 'ES',
      email: 'hola@penamunoz.example',
      phone: '+34 910 000 000',
      registryInscription:
        'Registro Mercantil de Madrid, tomo 41.234, folio 56, sección 8.ª, hoja M-728.901, inscripción 1.ª',
    },
    client: {
      name: 'Conservas del Cantábrico, S.A.',
      nif: 'A39000013',
      street: 'Polígono de Guarnizo, nave 14',
      postalCode: '39611',
      city: 'El Astillero',
      province: 'Cantabria',
      country: 'ES',
      email: 'facturas@conservas.example',
      phone: null,
    },
    lines: lines.map(({ regimeKey: _regimeKey, withholdable: _withholdable, ...line }, index) => ({
      ...line,
      netCents: totals.lineNetsCents[index] ?? 0,
      listedCents: listed[index]?.cents ?? 0,
      netUnitPriceMicro: listed[index]?.unitPriceMicro ?? 0,
    })),
    taxes: totals.taxes.map(({ regimeKey: _regimeKey, ...tax }) => ({ ...tax, isMargin: false })),
    baseCents: totals.baseCents,
    taxCents: totals.taxCents,
    surchargeCents: totals.surchargeCents,
    disbursementsCents: totals.disbursementsCents,
    totalCents: totals.totalCents,
    withholding: totals.withholding,
    amountDueCents: totals.amountDueCents,
    legalMentions: [],
    notes: null,
    payment: samplePayment(),
    customerReferences: null,
    registry: { qrUrl: QR_URL },
    createdAt: '2026-06-03T08:20:30.000Z',
    accent: null,
    logo: null,
    footer: null,
    ...rest,
  }
}

export const samples: Record<string, () => InvoicePaper> = {
  short: () => samplePaper(),
  withholding: () =>
    samplePaper({
      withholdingRateBp: 1500,
      operationDate: '2026-05-31',
      lines: [
        {
          description: 'Dirección de arte de la campaña de otoño',
          quantityMicro: 12_500_000,
          unit: 'h',
          unitPriceMicro: 65 * MICRO,
        },
        {
          description: 'Sesión fotográfica de producto\nEstudio, luces y ayudante incluidos',
          unitPriceMicro: 1_450 * MICRO,
        },
        { description: 'Licencia de uso en línea, dos años', unitPriceMicro: 1_808_500_000 },
      ],
    }),
  surcharge: () =>
    samplePaper({
      lines: [
        {
          description: 'Cuadernos de tapa dura',
          quantityMicro: 40 * MICRO,
          unit: 'ud',
          unitPriceMicro: 6_450_000,
          surchargeRateBp: 520,
        },
        {
          description: 'Libros de texto',
          quantityMicro: 25 * MICRO,
          unit: 'ud',
          unitPriceMicro: 18_200_000,
          vatRateBp: 400,
          surchargeRateBp: 50,
        },
        {
          description: 'Agua mineral',
          quantityMicro: 100 * MICRO,
          unit: 'ud',
          unitPriceMicro: 455_000,
          vatRateBp: 1000,
          surchargeRateBp: 140,
        },
      ],
    }),
  exempt: () =>
    samplePaper({
      lines: [
        {
          description: 'Curso de formación reglada',
          taxTreatment: 'E1',
          vatRateBp: null,
          unitPriceMicro: 1_200 * MICRO,
        },
        {
          description: 'Asistencia fuera del territorio',
          taxTreatment: 'N1',
          vatRateBp: null,
          unitPriceMicro: 80 * MICRO,
        },
      ],
      legalMentions: [
        'Operación exenta del IVA (art. 20.Uno.9.º de la Ley 37/1992).',
        'Operación no sujeta (art. 7 de la Ley 37/1992).',
      ],
    }),
  reverseCharge: () =>
    samplePaper({
      lines: [
        {
          description: 'Ejecución de obra para la urbanización de la parcela 12',
          taxTreatment: 'S2',
          vatRateBp: 0,
          unitPriceMicro: 18_340_500_000,
        },
      ],
      legalMentions: ['Inversión del sujeto pasivo (art. 84.Uno.2.º de la Ley 37/1992).'],
    }),
  manyRates: () =>
    samplePaper({
      withholdingRateBp: 700,
      lines: [
        { description: 'Servicio al tipo general' },
        { description: 'Servicio al tipo reducido', vatRateBp: 1000 },
        { description: 'Pan y libros', vatRateBp: 400 },
        { description: 'Donación en especie', vatRateBp: 0 },
        { description: 'Tabaco', surchargeRateBp: 175 },
        { description: 'Residuos y chatarra', taxTreatment: 'S2', vatRateBp: 0 },
        { description: 'Servicio a empresa no establecida', taxTreatment: 'N2', vatRateBp: null },
        { description: 'Entrega intracomunitaria', taxTreatment: 'E5', vatRateBp: null },
      ],
      legalMentions: [
        'Inversión del sujeto pasivo (art. 84 de la Ley 37/1992).',
        'Exenta (art. 25 de la Ley 37/1992).',
      ],
      notes:
        'Gracias por su confianza.\n\nLas piezas se recogen en nuestro taller de lunes a viernes, de 9 a 14 horas.',
    }),
  discounts: () =>
    samplePaper({
      lines: [
        {
          description: 'Tornillo M4 × 20, cabeza avellanada',
          quantityMicro: 12_500 * MICRO,
          unit: 'ud',
          unitPriceMicro: 12_345,
          discountBp: 750,
        },
        {
          description: 'Cable de cobre',
          quantityMicro: 1_234_567_890,
          unit: 'm',
          unitPriceMicro: 1_999_999,
          discountBp: 1250,
        },
        { description: 'Muestra sin cargo', unitPriceMicro: 30 * MICRO, discountBp: 10_000 },
      ],
      accent: '#1D4ED8',
    }),
  longWords: () =>
    samplePaper({
      number: 'EXPORTACIONES-PENINSULARES-E-INSULARES-2026-00000000004217',
      issuer: {
        ...samplePaper().issuer,
        name: 'Sociedad Cooperativa Andaluza de Transformación Agraria Nuestra Señora de la Consolación y del Perpetuo Socorro, S.C.A.',
        tradeName: 'Aceites de la Consolación',
      },
      client: {
        ...samplePaper().client,
        name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft m.b.H.',
        nif: 'DE136695976',
        country: 'DE',
        province: null,
        city: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
        email: 'departamento.de.administracion.y.facturacion@subsidiaria.europea.example',
      },
      lines: [
        {
          description:
            'https://repositorio.example/proyectos/2026/exportacion-peninsular/entregables/version-definitiva-aprobada.pdf?firma=9f86d081884c7d659a2feaa0c55ad015',
        },
        { description: 'A'.repeat(400), unit: 'paquete de doce cajas' },
        { description: 'Precio de vértigo', quantityMicro: 123_456_789_012, unitPriceMicro: 987_654_321_987 },
      ],
    }),
  unicode: () =>
    samplePaper({
      client: {
        name: '株式会社 🙂 Ωmega Łódź Ђорђе',
        nif: null,
        street: 'Στουρνάρη 12 · ул. Ленина 5',
        city: 'Αθήνα',
        country: 'GR',
      },
      lines: [
        { description: 'ﬁnal ½ № 5 — „quotes“ … ≤ ≥ ± ² ³ µ Ω € £ ₺' },
        { description: 'مرحبا بالعالم and שלום and 👨‍👩‍👧 and é' },
        { description: 'Zero\u200bwidth, bidi\u202e, bell\u0007, tab\tdone, soft\u00adhyphen' },
      ],
    }),
  lines150: () => samplePaper({ withholdingRateBp: 1500, lines: manyLines(150) }),
  lines500: () =>
    samplePaper({ lines: manyLines(500), legalMentions: ['Régimen especial del criterio de caja.'] }),
  simplified: () =>
    samplePaper({
      kind: 'F2',
      priceMode: 'gross',
      client: null,
      number: 'S2026-0007',
      dueDate: null,
      payment: samplePayment({ method: 'Tarjeta', account: null, qr: null }),
      lines: [
        { description: 'Corte y peinado', unitPriceMicro: 24 * MICRO },
        { description: 'Champú', quantityMicro: 2 * MICRO, unitPriceMicro: 8_950_000 },
      ],
    }),
  draft: () =>
    samplePaper({
      state: 'draft',
      number: null,
      registry: null,
      notes: 'Pendiente de confirmar las horas.',
      lines: [
        {},
        {
          description: 'Horas de programación',
          quantityMicro: 7_250_000,
          unit: 'h',
          unitPriceMicro: 48 * MICRO,
        },
      ],
    }),
  test: () =>
    samplePaper({
      environment: 'simulated',
      number: 'T-F2026-0003',
      registry: {
        qrUrl:
          'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B83456781&numserie=T-F2026-0003&fecha=03-06-2026&importe=121.00',
      },
    }),
  sandbox: () => samplePaper({ environment: 'sandbox', number: 'T-F2026-0004', lines: manyLines(40) }),
  preproduction: () => samplePaper({ environment: 'preproduction' }),
  english: () =>
    samplePaper({
      language: 'en',
      withholdingRateBp: 1500,
      payment: samplePayment({ method: 'Bank transfer, 30 days', reference: 'F2026-0042' }),
      operationDate: '2026-05-29',
      client: {
        name: 'Harbour & Sons Ltd',
        nif: 'IE6388047V',
        street: '12 Quay Street',
        postalCode: 'D02 XY45',
        city: 'Dublin',
        country: 'IE',
        email: 'accounts@harbour.example',
      },
      lines: [
        { description: 'Consulting', quantityMicro: 10 * MICRO, unit: 'h', unitPriceMicro: 123_456_000 },
        {
          description: 'Service to a company established abroad',
          taxTreatment: 'N2',
          vatRateBp: null,
          unitPriceMicro: 900 * MICRO,
          discountBp: 500,
        },
      ],
      legalMentions: ['Inversión del sujeto pasivo / Reverse charge.'],
      notes: 'Thank you.',
    }),
  gross: () =>
    samplePaper({
      priceMode: 'gross',
      lines: [
        { description: 'Silla de comedor', quantityMicro: 4 * MICRO, unitPriceMicro: 79_900_000 },
        { description: 'Mesa extensible', unitPriceMicro: 349 * MICRO, discountBp: 1000 },
      ],
    }),
  disbursements: () =>
    samplePaper({
      withholdingRateBp: 1500,
      lines: [
        { description: 'Honorarios por la constitución de la sociedad', unitPriceMicro: 450 * MICRO },
        {
          description: 'Arancel del registro mercantil',
          isDisbursement: true,
          vatRateBp: null,
          taxTreatment: 'N1',
          unitPriceMicro: 138_420_000,
          withholdable: false,
        },
        {
          description: 'Tasa de publicación en el BORME',
          isDisbursement: true,
          vatRateBp: null,
          taxTreatment: 'N1',
          unitPriceMicro: 41_500_000,
          withholdable: false,
        },
      ],
    }),
  negativeLine: () =>
    samplePaper({
      lines: [
        { description: 'Envases retornables', quantityMicro: 20 * MICRO, unitPriceMicro: 12 * MICRO },
        { description: 'Devolución de envases', quantityMicro: -8 * MICRO, unitPriceMicro: 12 * MICRO },
      ],
    }),
  longDescription: () =>
    samplePaper({ lines: [{ description: 'Memoria técnica de los trabajos realizados. '.repeat(220) }] }),
  longNotes: () =>
    samplePaper({
      lines: manyLines(14),
      notes: 'Condiciones generales de la venta, que el cliente conoce y acepta. '.repeat(90),
    }),
  design: () =>
    samplePaper({
      logo: sampleLogo(),
      accent: '#7A2E8E',
      footer:
        'Estudio Peña & Muñoz · Diseño y fotografía desde 1998 · www.penamunoz.example\nTratamos tus datos solo para facturarte: puedes consultarlos y corregirlos en privacidad@penamunoz.example.',
      payment: samplePayment({
        reference: 'F2026-0042',
        qr: {
          kind: 'code',
          text:
            sepaQrText({
              name: 'Estudio Peña & Muñoz, S.L.',
              iban: 'ES9121000418450200051332',
              cents: 121_00,
              reference: 'F2026-0042',
            }) ?? '',
        },
      }),
      customerReferences: { order: 'PO-4500012345', contract: 'CT-2026/118', file: null },
      notes: 'Gracias por vuestra confianza.',
    }),
  instalments: () =>
    samplePaper({
      instalments: sampleInstalments(3, 24_200),
      payment: samplePayment({ method: 'Transferencia bancaria', qr: { kind: 'placeholder' } }),
      lines: manyLines(6),
    }),
  directDebit: () =>
    samplePaper({
      payment: samplePayment({
        method: 'Domiciliación bancaria',
        account: null,
        chargedOn: '03/07/2026',
      }),
      lines: manyLines(6),
    }),
  publicBody: () =>
    samplePaper({
      client: {
        name: 'Ayuntamiento de Villanueva de la Serena',
        nif: 'P0615300A',
        street: 'Plaza de España, 1',
        postalCode: '06700',
        city: 'Villanueva de la Serena',
        province: 'Badajoz',
        country: 'ES',
      },
      customerReferences: { order: null, contract: 'CM-2026-0118', file: 'EXP/2026/004417' },
      lines: manyLines(3),
    }),
  seventeen: () =>
    samplePaper({
      withholdingRateBp: 1500,
      lines: Array.from({ length: 17 }, (_, index) => ({
        description: `Sesión ${index + 1} de asesoramiento`,
        quantityMicro: 2 * MICRO,
        unit: 'h',
        unitPriceMicro: 60 * MICRO,
      })),
    }),
  creditWithholding: () =>
    samplePaper({
      kind: 'R1',
      number: 'R2026-0005',
      withholdingRateBp: 1500,
      dueDate: null,
      references: [{ role: 'rectifies', number: 'F2026-0042', issueDate: '2026-06-03' }],
      rectification: { method: 'I', reason: 'Horas facturadas de más' },
      lines: [{ description: 'Honorarios', unitPriceMicro: -182 * MICRO }],
      payment: samplePayment({ method: null, account: null }),
    }),
  intraUnion: () =>
    samplePaper({
      client: {
        name: 'Client SARL',
        nif: 'FR40303265045',
        street: '4, rue de Rivoli',
        postalCode: '75001',
        city: 'Paris',
        country: 'FR',
      },
      lines: [{ description: 'Piezas', taxTreatment: 'E5', vatRateBp: null, unitPriceMicro: 1_250 * MICRO }],
      legalMentions: ['Entrega intracomunitaria exenta (art. 25 Ley 37/1992).'],
    }),
  rectifying: () =>
    samplePaper({
      kind: 'R1',
      number: 'R2026-0003',
      references: [{ role: 'rectifies', number: 'F2026-0042', issueDate: '2026-06-03' }],
      rectification: { method: 'I', reason: 'Devolución de dos jornadas no realizadas' },
      lines: [
        {
          description: 'Dirección de arte de la campaña de otoño',
          quantityMicro: -2 * MICRO,
          unit: 'día',
          unitPriceMicro: 310 * MICRO,
        },
      ],
      payment: samplePayment({ account: null }),
    }),
  replacing: () =>
    samplePaper({
      kind: 'R4',
      number: 'R2026-0004',
      references: [
        { role: 'rectifies', number: 'F2026-0040', issueDate: '2026-05-28' },
        { role: 'rectifies', number: 'F2026-0041', issueDate: '2026-05-30' },
      ],
      rectification: { method: 'S', reason: 'Error en el domicilio del cliente' },
      replacedCents: 90_75,
      amountDueCents: 30_25,
      logo: sampleLogo(),
    }),
  rectifyingSimplified: () =>
    samplePaper({
      kind: 'R5',
      number: 'R2026-0005',
      priceMode: 'gross',
      client: null,
      dueDate: null,
      references: [{ role: 'rectifies', number: 'S2026-0007', issueDate: '2026-06-01' }],
      rectification: { method: 'I', reason: null },
      logo: sampleLogo(200, 200),
      payment: samplePayment({ method: 'Tarjeta', account: null }),
      lines: [{ description: 'Champú devuelto', quantityMicro: -MICRO, unitPriceMicro: 8_950_000 }],
    }),
  ticket: () =>
    samplePaper({
      format: 'ticket',
      kind: 'F2',
      priceMode: 'gross',
      client: null,
      number: 'S2026-0007',
      dueDate: null,
      issuer: {
        ...samplePaper().issuer,
        name: 'Lucía Peña Muñoz',
        nif: '12345678Z',
        tradeName: 'Peluquería Lucía',
        registryInscription: null,
      },
      logo: sampleLogo(),
      footer: 'Cambios y devoluciones en 15 días con este ticket.\n¡Gracias por tu visita!',
      payment: samplePayment({ method: 'Tarjeta', account: null }),
      lines: [
        { description: 'Corte y peinado', unitPriceMicro: 24 * MICRO },
        {
          description: 'Champú reparador para cabello teñido, 250 ml',
          quantityMicro: 2 * MICRO,
          unitPriceMicro: 8_950_000,
          discountBp: 1000,
        },
        { description: 'Revista', unitPriceMicro: 3_500_000, vatRateBp: 400 },
      ],
    }),
  ticketFull: () =>
    samplePaper({
      format: 'ticket',
      kind: 'F2',
      environment: 'simulated',
      number: 'T-S2026-0008',
      dueDate: null,
      lines: [
        ...manyLines(12),
        {
          description: 'A'.repeat(200),
          unitPriceMicro: 987_654_321_000,
          quantityMicro: 12_345 * MICRO,
          unit: 'caja de doce',
        },
      ],
      legalMentions: ['Régimen especial del criterio de caja.'],
      notes: 'Conserva este ticket: es tu garantía.',
      payment: samplePayment({ method: 'Efectivo', account: null }),
    }),
  ticketDraft: () =>
    samplePaper({ format: 'ticket', kind: 'F2', state: 'draft', number: null, registry: null, client: null }),
  quote: () =>
    samplePaper({
      document: 'quote',
      number: 'P2026-0011',
      registry: null,
      validUntil: '2026-07-15',
      dueDate: null,
      logo: sampleLogo(),
      lines: manyLines(9),
      notes:
        'El precio incluye dos rondas de correcciones. No incluye licencias de tipografías ni bancos de imágenes.',
    }),
  proforma: () =>
    samplePaper({ document: 'proforma', number: 'PF2026-0002', registry: null, lines: manyLines(2) }),
  deliveryNote: () =>
    samplePaper({
      document: 'delivery_note',
      number: 'AL2026-0031',
      registry: null,
      dueDate: null,
      hidesPrices: true,
      lines: manyLines(5),
    }),
  margin: () =>
    samplePaper({
      priceMode: 'gross',
      lines: [{ description: 'Reloj de bolsillo, 1920', unitPriceMicro: 480 * MICRO, isMargin: true }],
      taxes: [
        {
          taxTreatment: 'S1',
          vatRateBp: 2100,
          baseCents: 148_76,
          taxCents: 31_24,
          surchargeRateBp: null,
          surchargeCents: 0,
          outsideCents: 300_00,
          isMargin: true,
        },
      ],
      totalCents: 480_00,
      amountDueCents: 480_00,
      legalMentions: ['Régimen especial de los bienes usados.'],
    }),
  dollars: () =>
    samplePaper({
      language: 'en',
      currency: 'USD',
      inEuros: { fxMicro: 1_084_500, fxDate: '2026-06-02', taxCents: 0, totalCents: 2_120_79 },
      lines: [
        {
          description: 'Brand strategy',
          taxTreatment: 'N2',
          vatRateBp: null,
          quantityMicro: 4 * MICRO,
          unit: 'day',
          unitPriceMicro: 575 * MICRO,
        },
      ],
      client: {
        name: 'Blue Ridge Outfitters, Inc.',
        nif: null,
        street: '410 Haywood Rd',
        postalCode: 'NC 28806',
        city: 'Asheville',
        country: 'US',
      },
      legalMentions: ['Operación no sujeta (art. 69.Uno de la Ley 37/1992) / Not subject to Spanish VAT.'],
    }),
  catalan: () => samplePaper({ language: 'ca', ...foreign('Associació Cultural la Fàbrica', 'Barcelona') }),
  basque: () => samplePaper({ language: 'eu', ...foreign('Etxezarreta eta Semeak, S.L.', 'Donostia') }),
  identified: () =>
    samplePaper({
      language: 'eu',
      ...foreign('Etxezarreta eta Semeak, S.L.', 'Donostia'),
      registry: IDENTIFIED,
    }),
  ticketIdentified: () => samplePaper({ format: 'ticket', kind: 'F2', client: null, registry: IDENTIFIED }),
  islandGross: () =>
    samplePaper({
      language: 'eu',
      kind: 'F2',
      taxName: 'IGIC',
      priceMode: 'gross',
      lines: [{ vatRateBp: 700 }, { vatRateBp: 300 }],
    }),
  galician: () => samplePaper({ language: 'gl', ...foreign('Conserveira do Barbanza, S.A.', 'Ribeira') }),
  french: () =>
    samplePaper({ language: 'fr', ...foreign('Établissements Lefèvre & Fils', 'Bordeaux', 'FR') }),
  german: () => samplePaper({ language: 'de', ...foreign('Müller Großhandel GmbH', 'Köln', 'DE') }),
  portuguese: () => samplePaper({ language: 'pt', ...foreign('Irmãos Gonçalves, Lda.', 'Évora', 'PT') }),
}

/**
 * Returns a sample that shows the conventions of a language: large figures, withholding, several rates, a customer
 * with a country.
 */
function foreign(name: string, city: string, country = 'ES'): SampleOptions {
  return {
    operationDate: '2026-05-31',
    withholdingRateBp: 1500,
    client: { name, nif: null, street: 'Rue / Carrer 12', postalCode: '08002', city, country },
    payment: samplePayment({ method: null, reference: 'F2026-0042' }),
    lines: FOREIGN_LINES,
    notes: 'ñ ç à ü ß œ ã õ',
  }
}
