/** Codes common to the formats: units of measure, means of payment, countries. */

interface Unit {
  /** UN/ECE Recommendation 20, as EN 16931 requires (BT-130). */
  rec20: string
  /** Facturae 3.2.2, UnitOfMeasureType; 05 means other. */
  facturae: string
}

const unit = (rec20: string, facturae: string): Unit => ({ rec20, facturae })

/** Common spellings of units in the languages of documents, without accents, capitals and final dots. */
const UNITS: readonly (readonly [names: string, unit: Unit])[] = [
  [
    'ud uds u un unidad unidades unit units unitat unitats unite unites stuck stk pc pcs pieza piezas piece pieces unidade unidades',
    unit('C62', '01'),
  ],
  ['h hr hrs hora horas hour hours hores heure heures stunde stunden ordu orduak std', unit('HUR', '02')],
  ['kg kgs kilo kilos kilogramo kilogramos kilogram kilograms', unit('KGM', '03')],
  ['l lt lts litro litros litre litres liter liters', unit('LTR', '04')],
  ['caja cajas box boxes caixa caixes caixas', unit('XBX', '06')],
  ['bolsa bolsas bag bags saco sacos', unit('XBG', '10')],
  ['botella botellas bottle bottles', unit('XBO', '12')],
  ['cl centilitro centilitros', unit('CLT', '15')],
  ['cm centimetro centimetros centimetre centimetres', unit('CMT', '16')],
  ['docena docenas dozen dozens', unit('DZN', '18')],
  ['g gr grs gramo gramos gram grams', unit('GRM', '21')],
  ['km kilometro kilometros kilometre kilometres kilometer kilometers', unit('KMT', '22')],
  ['m metro metros metre metres meter meters', unit('MTR', '25')],
  ['mm milimetro milimetros', unit('MMT', '26')],
  ['paquete paquetes package packages pack packs paq', unit('XPK', '28')],
  ['rollo rollos roll rolls', unit('XRO', '30')],
  ['sobre sobres envelope envelopes', unit('XEN', '31')],
  ['m3 m³ metro-cubico', unit('MTQ', '33')],
  ['s seg segundo segundos second seconds', unit('SEC', '34')],
  ['kwh', unit('KWH', '36')],
  ['min minuto minutos minute minutes', unit('MIN', '05')],
  ['dia dias d day days jornada jornadas jour jours tag tage egun', unit('DAY', '05')],
  ['semana semanas week weeks', unit('WEE', '05')],
  ['mes meses month months mois monat monate hilabete mesos', unit('MON', '05')],
  ['trimestre trimestres quarter quarters', unit('QAN', '05')],
  ['ano anos year years any anys jahr jahre', unit('ANN', '05')],
  ['m2 m² metro-cuadrado', unit('MTK', '05')],
  ['ha hectarea hectareas', unit('HAR', '05')],
  ['t tn tm tonelada toneladas tonne tonnes', unit('TNE', '05')],
  ['ml mililitro mililitros', unit('MLT', '05')],
  ['par pares pair pairs', unit('PR', '05')],
  ['palet palets pallet pallets', unit('XPX', '05')],
  ['juego juegos set sets', unit('SET', '05')],
  ['kw', unit('KWT', '05')],
  ['mwh', unit('MWH', '05')],
  ['noche noches night nights', unit('DAY', '05')],
]

const byName = new Map(
  UNITS.flatMap(([names, each]) => names.split(' ').map((name) => [name, each] as const)),
)
const ONE = unit('C62', '01')
const OTHER = unit('C62', '05')

/** Returns the codes of a unit as entered; without a unit, those of pieces. */
export function unitOf(text: string | null): Unit {
  if (text === null) return ONE
  const name = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\.$/, '')
    .trim()
  return byName.get(name) ?? OTHER
}

/** Codes in UNTDID 4461 (BT-81) and Facturae's PaymentMeansType by our names. */
export const MEANS: Readonly<Record<string, { untdid: string; facturae: string }>> = {
  transfer: { untdid: '30', facturae: '04' },
  direct_debit: { untdid: '59', facturae: '02' },
  card: { untdid: '48', facturae: '19' },
  cash: { untdid: '10', facturae: '01' },
  bizum: { untdid: '68', facturae: '13' },
  cheque: { untdid: '20', facturae: '11' },
  other: { untdid: 'ZZZ', facturae: '13' },
}

/**
 * ISO 3166-1 alpha-3 codes of the countries in Facturae 3.2.2. Its list predates South Sudan, Curaçao, Sint Maarten
 * and the French islands of Saint Martin and Saint Barthélemy, and excludes uninhabited territories: none of those
 * has a code.
 */
const ALPHA_3 = `AF AFG AL ALB DZ DZA AS ASM AD AND AO AGO AI AIA AG ATG AR ARG AM ARM AW ABW AU AUS AT AUT AZ AZE BS BHS BH BHR
BD BGD BB BRB BY BLR BE BEL BZ BLZ BJ BEN BM BMU BT BTN BO BOL BA BIH BW BWA BR BRA BN BRN BG BGR BF BFA BI BDI KH KHM CM CMR
CA CAN CV CPV KY CYM CF CAF TD TCD CL CHL CN CHN CD COD CO COL KM COM CG COG CK COK CR CRI CI CIV HR HRV CU CUB CY CYP CZ CZE
DK DNK DJ DJI DM DMA DO DOM EC ECU EG EGY SV SLV GQ GNQ ER ERI EE EST ET ETH FK FLK FO FRO FJ FJI FI FIN FR FRA GF GUF PF PYF
GA GAB GM GMB GE GEO GG GGY DE DEU GH GHA GI GIB GR GRC GL GRL GD GRD GP GLP GU GUM GT GTM GN GIN GW GNB GY GUY HT HTI HN HND
HK HKG HU HUN IS ISL IN IND ID IDN IM IMN IR IRN IQ IRQ IE IRL IL ISR IT ITA JM JAM JE JEY JP JPN JO JOR KZ KAZ KE KEN KI KIR
KP PRK KR KOR KW KWT KG KGZ LA LAO LV LVA LB LBN LS LSO LR LBR LY LBY LI LIE LT LTU LU LUX MO MAC MK MKD MG MDG MW MWI MY MYS
MV MDV ML MLI MT MLT MH MHL MQ MTQ MR MRT MU MUS YT MYT MX MEX FM FSM MD MDA MC MCO ME MNE MN MNG MS MSR MA MAR MZ MOZ MM MMR
NA NAM NR NRU NP NPL NL NLD NC NCL NZ NZL NI NIC NE NER NG NGA NU NIU NF NFK MP MNP NO NOR OM OMN PK PAK PW PLW PA PAN PG PNG
PY PRY PS PSE PE PER PH PHL PN PCN PL POL PT PRT PR PRI QA QAT RE REU RO ROU RU RUS RW RWA KN KNA LC LCA VC VCT WS WSM SM SMR
ST STP SA SAU SN SEN RS SRB SC SYC SL SLE SG SGP SK SVK SI SVN SB SLB SO SOM ZA ZAF ES ESP LK LKA SH SHN PM SPM SD SDN SR SUR
SJ SJM SZ SWZ SE SWE CH CHE SY SYR TW TWN TJ TJK TZ TZA TH THA TG TGO TK TKL TO TON TT TTO TN TUN TR TUR TM TKM TL TLS TC TCA
TV TUV UG UGA UA UKR AE ARE GB GBR US USA UY URY UZ UZB VU VUT VA VAT VE VEN VN VNM VG VGB VI VIR WF WLF EH ESH YE YEM ZM ZMB
ZW ZWE XI GBR`

const alpha3 = new Map(
  Array.from(ALPHA_3.matchAll(/(\S+)\s+(\S+)/g), ([, two = '', three = '']) => [two, three]),
)

/** Returns the alpha-3 code of an ISO 3166-1 alpha-2 code; null for the few that Facturae has no code for. */
export function alpha3Of(country: string): string | null {
  return alpha3.get(country) ?? null
}

/** Returns the ISO country of our codes: Northern Ireland is `XI` only for VAT. */
export function isoCountry(country: string): string {
  return country === 'XI' ? 'GB' : country
}

/** Provinces by the first two digits of a Spanish postal code. */
const PROVINCES = [
  'Araba/Álava', 'Albacete', 'Alicante/Alacant', 'Almería', 'Ávila', 'Badajoz', 'Illes Balears', 'Barcelona', 'Burgos',
  'Cáceres', 'Cádiz', 'Castellón/Castelló', 'Ciudad Real', 'Córdoba', 'A Coruña', 'Cuenca', 'Girona', 'Granada',
  'Guadalajara', 'Gipuzkoa', 'Huelva', 'Huesca', 'Jaén', 'León', 'Lleida', 'La Rioja', 'Lugo', 'Madrid', 'Málaga',
  'Murcia', 'Navarra', 'Ourense', 'Asturias', 'Palencia', 'Las Palmas', 'Pontevedra', 'Salamanca',
  'S.C. de Tenerife', 'Cantabria', 'Segovia', 'Sevilla', 'Soria', 'Tarragona', 'Teruel', 'Toledo', 'Valencia/València',
  'Valladolid', 'Bizkaia', 'Zamora', 'Zaragoza', 'Ceuta', 'Melilla',
] // prettier-ignore

/** Returns the province of a Spanish postal code, or null. */
export function provinceOf(postalCode: string): string | null {
  return PROVINCES[Number(postalCode.slice(0, 2)) - 1] ?? null
}
