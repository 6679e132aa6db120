#!/usr/bin/env bash
# A client of the simulated e-invoice platform, written from the text of `sello platform --help` alone: two companies exchange an
# invoice, which is rejected, corrected (384) and paid. Needs bash, curl and openssl.
# Usage: platform-client.sh URL CA_FILE CONTROL_URL
set -euo pipefail
url=$1 ca=$2 control=$3
seller=B12345674 buyer=A58818501
export TZ=Europe/Madrid
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

today=$(date +%Y-%m-%d)
month_start=${today%-*}-01
month_end=$(date -d "$month_start +1 month -1 day" +%Y-%m-%d)

for each in "$seller TALLERES NORTE SL" "$buyer COMPRAS SUR SA"; do
  nif=${each%% *} name=${each#* }
  openssl req -x509 -newkey rsa:2048 -nodes -days 365 -keyout "$work/$nif-key.pem" -out "$work/$nif.pem" \
    -subj "/C=ES/O=$name/organizationIdentifier=VATES-$nif/CN=$name" 2>/dev/null
done

cac='xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
message=0

# envelope FROM SERVICE ACTION [PROPERTIES] [PART]
envelope() {
  local parts=''
  [ -z "${5:-}" ] || parts="<eb:PayloadInfo><eb:PartInfo href=\"cid:$5\"><eb:PartProperties><eb:Property name=\"MimeType\">application/xml</eb:Property></eb:PartProperties></eb:PartInfo></eb:PayloadInfo>"
  local id="script-$$-$message" type='type="urn:oasis:names:tc:ebcore:partyid-type:iso6523:9920"'
  printf '%s' "<soap:Envelope xmlns:soap=\"http://www.w3.org/2003/05/soap-envelope\" xmlns:eb=\"http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/\"><soap:Header><eb:Messaging><eb:UserMessage><eb:MessageInfo><eb:Timestamp>$(date -u +%Y-%m-%dT%H:%M:%S.000Z)</eb:Timestamp><eb:MessageId>$id</eb:MessageId></eb:MessageInfo><eb:PartyInfo><eb:From><eb:PartyId $type>$1</eb:PartyId><eb:Role>ebms:initiator</eb:Role></eb:From><eb:To><eb:PartyId $type>Q2826000H</eb:PartyId><eb:Role>ebms:responder</eb:Role></eb:To></eb:PartyInfo><eb:CollaborationInfo><eb:Service>$2</eb:Service><eb:Action>$3</eb:Action><eb:ConversationId>$id</eb:ConversationId></eb:CollaborationInfo>${4:-}$parts</eb:UserMessage></eb:Messaging></soap:Header><soap:Body/></soap:Envelope>"
}

# post FROM PATH SERVICE ACTION PART DOCUMENT: sends one document and prints the answer
post() {
  message=$((message + 1))
  {
    printf -- '--b1\nContent-Type: application/soap+xml; charset=UTF-8\nContent-ID: <envelope>\n\n'
    envelope "$1" "$3" "$4" '' "$5"
    printf -- '\n--b1\nContent-Type: application/xml\nContent-ID: <%s>\n\n%s\n--b1--\n' "$5" "$6"
  } >"$work/message.txt"
  curl -sS --cacert "$ca" --cert "$work/$1.pem" --key "$work/$1-key.pem" --data-binary @"$work/message.txt" \
    -H 'Content-Type: multipart/related; boundary="b1"; type="application/soap+xml"; start="<envelope>"' "$url$2"
}

first() { grep -o "<$1>[^<]*</$1>" | head -n 1 | sed -E 's/<[^>]*>//g'; }
batch() { first cbc:ResponseCode <<<"$1"; }
item() { first cbc:DocumentStatusCode <<<"$1"; }

party() { # NIF NAME
  printf '%s' "<cac:Party><cac:PostalAddress><cbc:StreetName>Calle Mayor 1</cbc:StreetName><cbc:CityName>Madrid</cbc:CityName><cbc:PostalZone>28001</cbc:PostalZone><cbc:CountrySubentity>Madrid</cbc:CountrySubentity><cac:Country><cbc:IdentificationCode>ES</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>ES$1</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyTaxScheme><cbc:CompanyID schemeID=\"FC\">$1</cbc:CompanyID><cac:TaxScheme><cbc:ID>LOC</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>$2</cbc:RegistrationName><cbc:CompanyID>$1</cbc:CompanyID></cac:PartyLegalEntity></cac:Party>"
}

# invoice NUMBER TYPE NET TAX TOTAL [CORRECTED NUMBER]
invoice() {
  local billing='' kind='' day
  day=$(date -d "$today" +%d-%m-%Y)
  if [ -n "${6:-}" ]; then
    billing="<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>$6</cbc:ID><cbc:IssueDate>$today</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>"
    kind='<cac:AdditionalDocumentReference><cbc:ID>RECT:TIPO</cbc:ID><cbc:DocumentTypeCode>R1</cbc:DocumentTypeCode></cac:AdditionalDocumentReference><cac:AdditionalDocumentReference><cbc:ID>RECT:MODALIDAD</cbc:ID><cbc:DocumentTypeCode>S</cbc:DocumentTypeCode></cac:AdditionalDocumentReference>'
  fi
  local category='<cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>' eur='currencyID="EUR"'
  printf '%s' "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\" $cac><cbc:CustomizationID>urn:cen.eu:en16931:2026#conformant#urn:aeat.es:spfe:1.0.0:extended</cbc:CustomizationID><cbc:ProfileID>urn:aeat:names:specification:ubl:schema:profile:B2B</cbc:ProfileID><cbc:ID>$1</cbc:ID><cbc:CopyIndicator>false</cbc:CopyIndicator><cbc:IssueDate>$today</cbc:IssueDate><cbc:DueDate>$month_end</cbc:DueDate><cbc:InvoiceTypeCode>$2</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>$billing<cac:AdditionalDocumentReference><cbc:ID>QR</cbc:ID><cbc:UUID>https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=$seller&amp;numserie=$1&amp;fecha=$day&amp;importe=$5</cbc:UUID><cbc:DocumentDescription>VERIFACTU</cbc:DocumentDescription></cac:AdditionalDocumentReference>$kind<cac:AccountingSupplierParty>$(party $seller 'TALLERES NORTE SL')</cac:AccountingSupplierParty><cac:AccountingCustomerParty>$(party $buyer 'COMPRAS SUR SA')</cac:AccountingCustomerParty><cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:PaymentID>$1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>ES9121000418450200051332</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans><cac:TaxTotal><cbc:TaxAmount $eur>$4</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount $eur>$3</cbc:TaxableAmount><cbc:TaxAmount $eur>$4</cbc:TaxAmount><cac:TaxCategory>$category</cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal><cac:LegalMonetaryTotal><cbc:LineExtensionAmount $eur>$3</cbc:LineExtensionAmount><cbc:TaxExclusiveAmount $eur>$3</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount $eur>$5</cbc:TaxInclusiveAmount><cbc:PayableAmount $eur>$5</cbc:PayableAmount></cac:LegalMonetaryTotal><cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode=\"C62\">1</cbc:InvoicedQuantity><cbc:LineExtensionAmount $eur>$3</cbc:LineExtensionAmount><cac:Item><cbc:Name>Mano de obra</cbc:Name><cac:ClassifiedTaxCategory>$category</cac:ClassifiedTaxCategory><cac:AdditionalItemProperty><cbc:Name>REGI</cbc:Name><cbc:Value>01</cbc:Value><cbc:ValueQualifier>IVA</cbc:ValueQualifier></cac:AdditionalItemProperty></cac:Item><cac:Price><cbc:PriceAmount $eur>$3</cbc:PriceAmount></cac:Price></cac:InvoiceLine></Invoice>"
}

scheme() { printf '%s' "<cac:PartyTaxScheme><cbc:CompanyID schemeID=\"FC\">$1</cbc:CompanyID><cac:TaxScheme><cbc:ID>LOC</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>"; }

# status CODE NUMBER STATUS_ELEMENT: what the customer says
status() {
  printf '%s' "<ApplicationResponse xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2\" $cac><cbc:ID>m-$message</cbc:ID><cbc:IssueDate>$today</cbc:IssueDate><cac:SenderParty>$(scheme $buyer)</cac:SenderParty><cac:ReceiverParty><cac:PartyLegalEntity><cbc:RegistrationName>Agencia Estatal de Administración Tributaria</cbc:RegistrationName></cac:PartyLegalEntity></cac:ReceiverParty><cac:DocumentResponse><cac:Response><cbc:ResponseCode>$1</cbc:ResponseCode><cbc:EffectiveDate>$today</cbc:EffectiveDate>$3</cac:Response><cac:DocumentReference><cbc:ID>$2</cbc:ID><cbc:IssueDate>$today</cbc:IssueDate><cac:IssuerParty>$(scheme $seller)</cac:IssuerParty></cac:DocumentReference></cac:DocumentResponse></ApplicationResponse>"
}
reason='<cac:Status><cbc:StatusReasonCode>01</cbc:StatusReasonCode></cac:Status>'
due="<cac:Status><cbc:ReferenceDate>$month_end</cbc:ReferenceDate><cac:Condition><cbc:AttributeID>DueDate</cbc:AttributeID></cac:Condition></cac:Status>"

send() { post $seller ws/SendInvoiceSOAP urn:cen.eu:en16931:submitinvoice SubmitInvoice invoice-1 "$(invoice "$@")"; }
tell() { post $buyer ws/CustomerInvoiceEventsSOAP urn:cen.eu:en16931:submitaction AccountingCustomerPartyAction request "$(status "$@")"; }

answer=$(send A-1 380 100.00 21.00 121.00)
echo "sent A-1: $(batch "$answer") $(item "$answer") csv $(first cbc:ID <<<"$answer" | tr -d '\n' | wc -m | tr -d ' ') characters"
answer=$(send A-1 380 100.00 21.00 121.00)
echo "sent A-1 again: $(batch "$answer") $(item "$answer")"
answer=$(tell REJECTION A-1 "$reason")
echo "rejected A-1: $(batch "$answer") $(item "$answer")"
answer=$(tell PAYMENT A-1 "$due")
echo "paid A-1: $(batch "$answer") $(item "$answer")"
answer=$(send R-1 384 90.00 18.90 108.90 A-1)
echo "corrected by R-1: $(batch "$answer") $(item "$answer")"

# The answer is lost on purpose; the query tells that the message was taken.
curl -sS -o "$work/switched" -H 'Content-Type: application/json' -d '{"fault": "drop_reply"}' "$control"
if answer=$(tell PAYMENT R-1 "$due" 2>/dev/null); then echo 'the answer should be lost'; else echo 'paid R-1: answer lost'; fi

message=$((message + 1))
properties="<eb:MessageProperties><eb:Property name=\"Role\">AccountingCustomerParty</eb:Property><eb:Property name=\"InvoiceCompanyID\">$buyer</eb:Property><eb:Property name=\"RegistrationStartDate\">$month_start</eb:Property><eb:Property name=\"RegistrationEndDate\">$month_end</eb:Property></eb:MessageProperties>"
envelope $buyer urn:cen.eu:en16931:queryinvoices QUERYBYFILTER "$properties" >"$work/query.xml"
answer=$(curl -sS --cacert "$ca" --cert "$work/$buyer.pem" --key "$work/$buyer-key.pem" --data-binary @"$work/query.xml" \
  -H 'Content-Type: application/soap+xml; charset=UTF-8' "${url}ws/GetRegisteredInvoiceSOAP")
statuses=$(grep -o '<cac:AdditionalDocumentResponse>.*</cac:AdditionalDocumentResponse>' <<<"$answer" |
  sed 's#</cac:AdditionalDocumentResponse>#&\n#g' | grep -o 'ResponseCode>[A-Z]*<.*DocumentReference><cbc:ID>[^<]*' |
  sed -E 's#ResponseCode>([A-Z]*)<.*<cbc:ID>([^<]*)#\2 \1#' | grep -v REGISTEREDINVOICE | tr '\n' ';')
echo "held: $statuses"
