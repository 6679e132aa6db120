/**
 * Meaning of the authority's codes for a person: a theme in terms of the trade, and the one next step. Facts: AEAT,
 * error table of 18-08-2026.
 */
import type { NextAction } from '../../../contract.ts'

interface CodeMeaning {
  /** Our own code, for programs and for the window's messages. */
  code: Theme | 'registry_conflict'
  fix: string
  action: NextAction
}

/** The sender's treatment of a message that was refused as a whole (a fault of the sender's side). */
type FaultTreatment =
  /** A failure on their side: send the same bytes again later. */
  | 'retry'
  /** One record of it is invalid: halve the message until the record is found. */
  | 'find_record'
  /** Nothing will be accepted until an outside cause is corrected. */
  | 'hold'
  /** The authority suspended us. */
  | 'stop'

const THEMES = {
  technical_failure: {
    action: 'wait',
    fix: 'Nothing to do: it was a failure on their side, and Sello tries again.',
    codes: '4103 4108 4110 4111 4118 4128 4134 4139 3500 3501 1129 1241 1243 1256 1288',
  },
  sending_suspended: {
    action: 'call',
    fix: 'Write to the authority before anything is sent again, then resume the sending on the registry page.',
    codes: '4141',
  },
  issuer_not_known: {
    action: 'resend',
    fix: "Compare the company's NIF and name with its tax card, correct them in the settings, and send again.",
    codes: '4104 4107 4109 4115 4116 1108 1109 1120 1123 1172 1215 1217 1219 1240 1282',
  },
  certificate_not_entitled: {
    action: 'certificate',
    fix: "Import the company's own certificate, its seal, or that of somebody entitled to act for it.",
    codes: '4112 4132 4140 3003',
  },
  message_unfit: {
    action: 'call',
    fix: 'Send the code and the record to whoever looks after your Sello: the message itself was not accepted.',
    codes:
      '4102 4105 4106 4113 4114 4117 4119 4120 4121 4122 4123 4124 4125 4126 4127 4129 4130 4131 4133 4135 4136 4137 4138 3502 3503 1248 1249 1250 1261 1270 1271 1272 1285',
  },
  client_not_in_census: {
    action: 'correct',
    fix: "Compare the customer's NIF and name with their tax card and correct the record.",
    codes: '1110 1121 1193 1239 1283',
  },
  client_identification: {
    action: 'correct',
    fix: 'Correct how the customer is identified: number, kind of document and country.',
    codes:
      '1101 1102 1103 1111 1122 1126 1131 1156 1189 1190 1191 1192 1222 1228 1232 1233 1234 1254 1255 1289 1290',
  },
  number_not_taken: {
    action: 'annul',
    fix: 'A number cannot be changed: annul the invoice and issue it again in a series of plain letters and digits.',
    codes: '1104 1130 1287 1175',
  },
  issue_date_not_taken: {
    action: 'annul',
    fix: 'A date of issue cannot be changed: check the clock, annul the invoice and issue it again.',
    codes: '1105 1112 1133 1145 1152',
  },
  operation_date: {
    action: 'correct',
    fix: 'Correct the date of the operation.',
    codes: '1125 1134 1146 1147 1173',
  },
  invoice_kind: {
    action: 'annul',
    fix: 'The kind of invoice does not fit: annul it and issue the right kind.',
    codes:
      '1106 1107 1114 1115 1116 1117 1118 1119 1128 1136 1137 1138 1139 1148 1150 1154 1157 1183 1184 1185 1197',
  },
  vat_of_lines: {
    action: 'rectify',
    fix: 'The VAT of the invoice does not hold: rectify it with another invoice, or annul it if the customer has not got it.',
    codes:
      '1124 1127 1132 1135 1140 1142 1143 1144 1160 1162 1163 1164 1165 1166 1167 1168 1169 1170 1181 1194 1195 1196 1198 1207 1208 1209 1218 1235 1236 1237 1238 1257 1277 1281 1284',
  },
  regime_or_exemption: {
    action: 'correct',
    fix: 'Correct the regime or the ground of exemption.',
    codes: '1149 1182 1199 1200 1201 1202 1203 1205 1206 1245 1246 1252 1260 1286 1293',
  },
  total_differs: {
    action: 'correct',
    fix: 'Compare the totals; if the invoice itself is wrong, rectify it with another one.',
    codes: '1210 1216 2005 2006',
  },
  third_party: {
    action: 'call',
    fix: 'The data of who made the invoice or asked for the cancellation do not fit.',
    codes: '1151 1155 1158 1159 1178 1186 1187 1188 1211 1224 1225 1227 1229 1230 1231 1258 1259 1273',
  },
  record_flags: {
    action: 'correct',
    fix: 'Correct the record again: Sello takes what the authority answered into account.',
    codes: '1153 1161 1171 1275 1276',
  },
  record_unfit: {
    action: 'call',
    fix: 'Send the code and the record to whoever looks after your Sello: the record itself was not accepted.',
    codes:
      '1100 1174 1176 1177 1179 1180 1212 1213 1214 1220 1221 1223 1226 1242 1244 1247 1251 1253 1262 1263 1264 1265 1266 1267 1268 1269 1274 1291 1292',
  },
  already_registered: {
    action: 'decide',
    fix: 'Another record holds this number: find out which program sent it, and decide.',
    codes: '3000',
  },
  already_cancelled: {
    action: 'none',
    fix: 'Nothing to do: the authority had it as annulled already.',
    codes: '3001',
  },
  not_registered: {
    action: 'correct',
    fix: 'The authority has no record of this invoice: send it again, corrected or as it is.',
    codes: '3002',
  },
  registered_by_hand: {
    action: 'call',
    fix: "It was registered on the authority's own web form and can only be changed there.",
    codes: '3004',
  },
  hash_differs: {
    action: 'correct',
    fix: 'Check the chain on the registry page; if it is whole, correct the record.',
    codes: '2000 2002 2003 2008',
  },
  chain_restarted: {
    action: 'installation',
    fix: 'The authority knows records of this installation: if this is a restored copy, begin a new installation.',
    codes: '2007',
  },
  client_not_identified: {
    action: 'none',
    fix: 'Nothing to do: the customer was declared as not in the census.',
    codes: '2001',
  },
  sent_late: {
    action: 'none',
    fix: 'Nothing to do: the record arrived later than it was made.',
    codes: '2004',
  },
  ipsi_without_regime: {
    action: 'none',
    fix: 'Nothing to do until the end of 2026; from 2027 on IPSI needs a regime.',
    codes: '2009',
  },
  /** Codes that the table does not know yet. */
  other: {
    action: 'call',
    fix: "Read the authority's message; ask its support with the code if it is not clear.",
    codes: '',
  },
} satisfies Record<string, { action: NextAction; fix: string; codes: string }>

type Theme = keyof typeof THEMES

/** Every theme: the window has messages for each. */
export const themes = Object.keys(THEMES) as Theme[]

const BY_CODE = new Map<string, Theme>(
  themes.flatMap((theme) => THEMES[theme].codes.split(' ').map((code) => [code, theme] as const)),
)

/** Returns the meaning of a code; for an unknown code, the theme that refers to the authority's own text. */
export function meaningOf(authorityCode: string): CodeMeaning {
  const code = BY_CODE.get(authorityCode) ?? 'other'
  const { action, fix } = THEMES[code]
  return { code, action, fix }
}

/** Returns true if the table has the code. */
export function isKnownCode(authorityCode: string): boolean {
  return BY_CODE.has(authorityCode)
}

/** Returns true for a failure on the authority's side: the same record is sent again after the wait. */
export function isTechnical(authorityCode: string): boolean {
  return BY_CODE.get(authorityCode) === 'technical_failure'
}

/** Codes of a message in which a single record can be the invalid one. */
const OF_ONE_RECORD = ['4102', '4106', '4113', '4114', '4119', '4136', '4137']

/** Returns the treatment of a message refused as a whole, by the code of the fault; null for a fault without a code. */
export function faultTreatment(authorityCode: string | null): FaultTreatment {
  if (authorityCode === null) return 'hold'
  if (authorityCode === '4141') return 'stop'
  if (isTechnical(authorityCode)) return 'retry'
  return OF_ONE_RECORD.includes(authorityCode) ? 'find_record' : 'hold'
}
