/** The page on the phone: one input for photos and files. Nothing in it comes from elsewhere. */
import { createHash } from 'node:crypto'

export type PhoneLanguage = 'es' | 'en'

const TEXTS = {
  es: {
    title: 'Enviar a Sello',
    take: 'Hacer fotos o elegir archivos',
    hint: 'Una foto por página, con buena luz y el papel entero. Cuando acabes, cierra esta página.',
    sending: 'Enviando…',
    added: 'Recibido',
    known: 'Ya estaba',
    refused: 'No vale: solo fotos y PDF de hasta 20 MB',
    failed: 'No ha llegado. Mira en el ordenador si sigue abierto.',
  },
  en: {
    title: 'Send to Sello',
    take: 'Take photos or choose files',
    hint: 'One photo for each page, in good light, with the whole sheet. When you are done, close this page.',
    sending: 'Sending…',
    added: 'Received',
    known: 'Was there already',
    refused: 'Not taken: only photos and PDF of up to 20 MB',
    failed: 'Did not arrive. Look on the computer whether it is still open.',
  },
} as const

const STYLE = `:root{color-scheme:light dark;font:17px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:34rem;padding:1.5rem}
label{display:block;padding:1.25rem;border-radius:.75rem;background:#1d4ed8;color:#fff;font-weight:600;text-align:center}
input{position:absolute;opacity:0;width:1px;height:1px}
input:focus-visible+label{outline:3px solid #f59e0b;outline-offset:3px}
li{padding:.5rem 0;overflow-wrap:anywhere}
ul{list-style:none;padding:0}`

/** Sends one file after the other; the address of the page holds the token. */
const SCRIPT = `const texts=JSON.parse(document.getElementById('texts').textContent)
const list=document.querySelector('ul')
const input=document.querySelector('input')
input.addEventListener('change',async()=>{
  const files=[...input.files]
  input.value=''
  for(const file of files){
    const row=document.createElement('li')
    row.textContent=file.name+': '+texts.sending
    list.prepend(row)
    let said='failed'
    try{
      const answer=await fetch(location.pathname+'/files?name='+encodeURIComponent(file.name),{method:'POST',body:file,headers:{'Content-Type':'application/octet-stream'}})
      if(answer.ok)said=(await answer.json()).state
      else if(answer.status===413||answer.status===415)said='refused'
    }catch{}
    row.textContent=file.name+': '+texts[said]
  }
})`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows this page its own style and script and nothing else. */
export const PHONE_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function phonePage(language: PhoneLanguage): string {
  const texts = TEXTS[language]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${texts.title}</h1>
<input type="file" id="files" accept="image/*,application/pdf" multiple>
<label for="files">${texts.take}</label>
<p>${texts.hint}</p>
<ul aria-live="polite"></ul>
<script type="application/json" id="texts">${JSON.stringify(texts)}</script>
<script>${SCRIPT}</script>
</body>
</html>
`
}
