/**
 * Fixed entries of the palette beyond the menu: settings, cards inside them and reports, and the search terms of all
 * entries.
 */
import { searchText } from '../../../../server/domain/text.ts'
import { icons } from '../../../icons.ts'
import type { IconName } from '../../../icons.ts'

interface Destination {
  to: string
  /** Message key. */
  label: string
  icon: IconName
}

/** Settings, their most used cards and the reports, in the order in which the palette lists them. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/settings', label: 'settings.company.title', icon: icons.company },
  { to: '/settings#company-iban', label: 'settings.company.iban', icon: icons.bank },
  { to: '/settings/series', label: 'seriesPage.title', icon: icons.series },
  { to: '/settings/design', label: 'settings.design.title', icon: icons.design },
  { to: '/settings/design#logo', label: 'settings.design.logo', icon: icons.picture },
  { to: '/settings/taxes', label: 'tax.rates.title', icon: icons.taxes },
  { to: '/settings/mail', label: 'mail.account.title', icon: icons.mail },
  { to: '/settings/portal', label: 'portal.settings.title', icon: icons.service },
  { to: '/settings/appearance', label: 'settings.appearance.title', icon: icons.appearance },
  { to: '/settings/security', label: 'settings.security.title', icon: icons.shield },
  { to: '/settings/backups', label: 'backups.title', icon: icons.download },
  { to: '/settings/security#lock', label: 'lock.settings.title', icon: icons.lock },
  { to: '/settings/security#recovery', label: 'recovery.title', icon: icons.recovery },
  { to: '/settings/security#verification', label: 'verification.title', icon: icons.shield },
  { to: '/settings/privacy', label: 'privacy.settings', icon: icons.person },
  { to: '/settings/archive', label: 'companies.archive.title', icon: icons.archive },
  { to: '/ledger/result', label: 'ledger.tabs.result', icon: icons.ledger },
  { to: '/ledger/sheet', label: 'ledger.tabs.sheet', icon: icons.ledger },
]

/**
 * Synonyms of an entry, by its address, in both languages: users search in either. The label of the entry counts by
 * itself.
 */
const KEYWORDS: Readonly<Record<string, string>> = {
  '/': 'panel resumen inicio dashboard summary overview',
  '/inbox': 'pendientes aprobar aprobaciones propuestas approvals pending proposals',
  '/invoices': 'ventas emitidas ingresos sales issued income revenue',
  '/invoices/new': 'factura emitir cobrar vender invoice bill',
  '/quotes/new': 'presupuesto oferta proforma quote estimate offer',
  '/recurring': 'cuotas suscripciones periodicas subscriptions repeat',
  '/contacts': 'clientes proveedores customers clients suppliers',
  '/items': 'productos servicios catalogo precios tarifas products services prices',
  '/payments': 'cobros pagos morosos impagos vencidas deudas recordatorios debts owed overdue reminders',
  '/received': 'gastos compras proveedores tickets expenses purchases bills receipts',
  '/received/new': 'gasto compra ticket recibo registrar expense purchase bill receipt record',
  '/received/incoming':
    'documentos revisar escanear fotos tickets correo carpeta documents review scan photos receipts',
  '/bank': 'extracto movimientos conciliar norma 43 statement transactions reconcile',
  '/taxes':
    'impuestos iva irpf modelos trimestre hacienda 303 130 111 115 347 349 390 vat returns quarter tax',
  '/ledger': 'diario asientos libros journal entries accounting bookkeeping',
  '/ledger/result':
    'beneficio ganancias perdidas resultado rentabilidad margen profit loss income earnings p&l',
  '/ledger/sheet': 'balance activo pasivo patrimonio assets liabilities equity',
  '/registry': 'aeat verifactu envios cola registros submissions queue records',
  '/exchange':
    'factura electronica b2b obligatoria spfe plataforma estados pago rechazo comunicar e-invoice platform statuses reject paid report',
  '/exchange/invoices': 'factura electronica b2b spfe plataforma enviadas e-invoice platform sent ubl',
  '/exchange/law':
    'ley crea y crece factura electronica obligatoria plazos calendario rd 238 orden hac obligacion law mandatory deadline duty e-invoice',
  '/connect/assistants': 'ia inteligencia artificial claude chatgpt gemini mcp ai integraciones integrations',
  '/connect/keys': 'claves api programas tokens',
  '/connect/webhooks': 'avisos eventos notifications events',
  '/connect/erp': 'holded odoo',
  '/import': 'importar traer excel csv migrar upload migrate',
  '/moving':
    'migrar cambiar programa mudanza traslado historia saldos apertura libros holded contasimple quipu factusol contaplus sage a3 odoo migrate move switch history opening balances',
  '/settings':
    'ajustes configuracion preferencias opciones nif direccion settings preferences options address profile',
  '/settings#company-iban': 'cuenta bancaria banco transferencia account transfer',
  '/settings/series': 'numeracion numeros serie numbering numbers prefix',
  '/settings/design': 'diseno plantilla color pie factura pdf template colour layout footer',
  '/settings/design#logo': 'logotipo marca imagen brand image picture',
  '/settings/certificate': 'certificado digital firma fnmt p12 pfx signature electronic',
  '/settings/taxes': 'tipos iva recargo rates vat surcharge',
  '/settings/portal': 'face dir3 administracion publica ayuntamiento facturae public body portal',
  '/settings/mail': 'correo email smtp gmail outlook enviar send',
  '/settings/appearance':
    'aspecto tema oscuro claro idioma letra tamano texto menu atajos appearance theme dark light language density text size shortcuts',
  '/settings/security': 'seguridad clave cifrado carpeta datos encryption folder data',
  '/settings/backups':
    'copias copia seguridad respaldo guardar restaurar portatil backup backups restore portable',
  '/settings/security#lock': 'contrasena password pin clave codigo acceso bloquear passphrase lock',
  '/settings/security#recovery': 'codigo recuperar perdida contrasena recovery code lost password',
  '/settings/security#verification': 'comprobar integridad cadena verify integrity check chain',
  '/settings/privacy': 'rgpd datos personales borrar gdpr personal erase delete',
  '/settings/archive': 'empresa archivo baja plazo borrar company archive ended retention delete',
  '/declaration': 'declaracion responsable software version',
  '/help': 'ayuda manual soporte dudas guia help support guide',
}

/** Returns the synonyms of an entry, space-separated; empty if there are none. */
export const keywordsOf = (to: string): string => KEYWORDS[to] ?? ''

/** Words that are ignored in a query. */
const SMALL = new Set([
  'a',
  'de',
  'del',
  'el',
  'en',
  'la',
  'las',
  'los',
  'mi',
  'my',
  'of',
  'the',
  'to',
  'un',
  'una',
  'y',
])

const wordsOf = (text: string): string[] =>
  searchText(text)
    .split(/[^\p{L}\p{N}&]+/u)
    .filter(Boolean)

/**
 * Returns how an entry matches a query: 2 by its label alone, 1 with its synonyms, 0 not at all. Every word of the
 * query must be the prefix of a word of the entry: "copia" finds "Copias de seguridad", "ana" does not find
 * "Ventana".
 */
function matchByTerms(typed: string, label: string, keywords = ''): 0 | 1 | 2 {
  const all = wordsOf(typed)
  const significant = all.filter((word) => !SMALL.has(word))
  const wanted = significant.length > 0 ? significant : all
  if (wanted.length === 0) return 0
  const found = (words: readonly string[]): boolean =>
    wanted.every((part) => words.some((word) => word.startsWith(part)))
  const ofLabel = wordsOf(label)
  if (found(ofLabel)) return 2
  return found([...ofLabel, ...wordsOf(keywords)]) ? 1 : 0
}

/** Returns the matching entries, those matched by label first, otherwise in their order. */
export function matching<Entry extends { label: string; keywords?: string }>(
  typed: string,
  entries: readonly Entry[],
): Entry[] {
  const ranked = entries.map((entry) => ({ entry, rank: matchByTerms(typed, entry.label, entry.keywords) }))
  return [2, 1].flatMap((rank) => ranked.filter((each) => each.rank === rank).map(({ entry }) => entry))
}
