/**
 * The program of a reply page. It has no library, loads nothing and sends nothing: it makes a code of what the customer
 * chose, and offers it as a mail to write, a file to save and text to copy. Plain JavaScript for old browsers, without
 * the Web Crypto API, which a file opened from a disk does not have everywhere.
 */
export const SCRIPT = String.raw`(function () {
'use strict'
var data = JSON.parse(document.getElementById('data').textContent)
var find = function (id) { return document.getElementById(id) }
var words = data.texts[data.language]

// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) over lists of bytes.
var primes = [], constants = [], start = []
for (var n = 2; primes.length < 64; n++) {
  var isPrime = true
  for (var p = 0; p < primes.length && primes[p] * primes[p] <= n; p++) if (n % primes[p] === 0) isPrime = false
  if (isPrime) primes.push(n)
}
var fraction = function (x) { return ((x - Math.floor(x)) * 4294967296) | 0 }
for (var c = 0; c < 64; c++) {
  constants.push(fraction(Math.pow(primes[c], 1 / 3)))
  if (c < 8) start.push(fraction(Math.pow(primes[c], 1 / 2)))
}
function turn(x, by) { return (x >>> by) | (x << (32 - by)) }
function sha256(bytes) {
  var all = bytes.slice(), length = bytes.length
  all.push(128)
  while (all.length % 64 !== 56) all.push(0)
  var bits = [0, 0, 0, Math.floor(length / 536870912) & 255, (length >>> 21) & 255, (length >>> 13) & 255, (length >>> 5) & 255, (length << 3) & 255]
  all = all.concat(bits)
  var hash = start.slice(), w = []
  for (var at = 0; at < all.length; at += 64) {
    for (var i = 0; i < 64; i++) {
      if (i < 16) w[i] = (all[at + 4 * i] << 24) | (all[at + 4 * i + 1] << 16) | (all[at + 4 * i + 2] << 8) | all[at + 4 * i + 3]
      else {
        var s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3)
        var s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10)
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0
      }
    }
    var v = hash.slice()
    for (var r = 0; r < 64; r++) {
      var e1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)
      var ch = (v[4] & v[5]) ^ (~v[4] & v[6])
      var t1 = (v[7] + e1 + ch + constants[r] + w[r]) | 0
      var e0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)
      var t2 = (e0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]))) | 0
      v = [(t1 + t2) | 0, v[0], v[1], v[2], (v[3] + t1) | 0, v[4], v[5], v[6]]
    }
    for (var h = 0; h < 8; h++) hash[h] = (hash[h] + v[h]) | 0
  }
  var out = []
  for (var k = 0; k < 8; k++) out.push(hash[k] >>> 24, (hash[k] >>> 16) & 255, (hash[k] >>> 8) & 255, hash[k] & 255)
  return out
}
function hmac(key, bytes) {
  var inner = [], outer = []
  for (var i = 0; i < 64; i++) {
    inner.push((key[i] || 0) ^ 54)
    outer.push((key[i] || 0) ^ 92)
  }
  return sha256(outer.concat(sha256(inner.concat(bytes))))
}
function bytesOf(text) {
  var binary = unescape(encodeURIComponent(text)), bytes = []
  for (var i = 0; i < binary.length; i++) bytes.push(binary.charCodeAt(i))
  return bytes
}
function base64url(bytes) {
  var binary = ''
  for (var i = 0; i < bytes.length; i++) binary += String.fromCharCode(bytes[i])
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}
function fromBase64url(text) {
  var binary = atob(text.replace(/-/g, '+').replace(/_/g, '/')), bytes = []
  for (var i = 0; i < binary.length; i++) bytes.push(binary.charCodeAt(i))
  return bytes
}

function say(template, values) {
  return template.replace(/\{(\w+)\}/g, function (whole, name) { return name in values ? values[name] : whole })
}
function chosen() {
  var radios = document.getElementsByName('kind')
  for (var i = 0; i < radios.length; i++) if (radios[i].checked) return radios[i].value
  return null
}
function showFields() {
  var kind = chosen()
  find('reason-field').hidden = kind !== 'rejected'
  find('day-field').hidden = kind !== 'accepted' && kind !== 'will_pay'
  find('day-label').textContent = kind === 'accepted' ? words.dayOptional : words.day
  find('result').hidden = true
}
function setLanguage(language) {
  data.language = language
  words = data.texts[language]
  document.documentElement.lang = language
  var each = document.querySelectorAll('[data-t]'), i
  for (i = 0; i < each.length; i++) each[i].textContent = say(words[each[i].getAttribute('data-t')], data.shown[language])
  each = document.querySelectorAll('[data-f]')
  for (i = 0; i < each.length; i++) each[i].textContent = data.shown[language][each[i].getAttribute('data-f')]
  each = document.querySelectorAll('[data-language]')
  for (i = 0; i < each.length; i++) each[i].setAttribute('aria-pressed', String(each[i].getAttribute('data-language') === language))
  document.title = say(words.title, data.shown[language])
  showFields()
}
function clean(text, most) { return text.replace(/\s+/g, ' ').trim().slice(0, most) }
function fail(text, field) {
  find('fault').textContent = text
  find('fault').hidden = false
  find('result').hidden = true
  field.focus()
}

var answer = ''
function prepare() {
  var kind = chosen(), reason = find('reason').value, day = find('day').value
  find('fault').hidden = true
  if (kind === null) return fail(words.chooseKind, document.getElementsByName('kind')[0])
  if (kind === 'rejected' && reason === '') return fail(words.chooseReason, find('reason'))
  if (kind === 'will_pay' && day === '') return fail(words.chooseDay, find('day'))
  if (kind !== 'rejected') reason = ''
  if (kind !== 'accepted' && kind !== 'will_pay') day = ''
  if (day !== '' && !/^\d{4}-\d\d-\d\d$/.test(day)) return fail(words.chooseDay, find('day'))
  var name = clean(find('name').value, data.mostName), text = clean(find('words').value, data.mostWords)
  var values = [data.page, kind, day || null, reason || null, text || null, name || null, Math.floor(Date.now() / 1000)]
  var payload = base64url(bytesOf(JSON.stringify(values)))
  var tag = base64url(hmac(fromBase64url(data.key), bytesOf('svcr1.' + payload)))
  var code = '[svcr1.' + payload + '.' + tag + ']'
  var subject = say(words.subject, data.shown[data.language])
  var lines = [subject + ': ' + words['short_' + kind]]
  if (reason) lines.push(words.reason + ': ' + words['reason_' + reason])
  if (day) lines.push(words.dayShort + ': ' + day)
  var spoken = lines.slice()
  if (text) spoken.push(text)
  if (name) spoken.push(name)
  answer = spoken.join('\r\n') + '\r\n\r\n' + words.codeNote + '\r\n' + code + '\r\n'
  find('code').value = code
  if (data.replyTo) {
    var link = function (body) {
      return 'mailto:' + encodeURIComponent(data.replyTo).replace(/%40/g, '@') + '?subject=' + encodeURIComponent(subject) + '&body=' + encodeURIComponent(body)
    }
    // Some mail programs cut links after 2,000 characters: then the code alone has to do.
    var href = link(answer)
    find('mail').href = href.length > 1900 ? link(lines.join('\r\n') + '\r\n\r\n' + code) : href
  }
  find('copied').textContent = ''
  find('result').hidden = false
  find('result-title').focus()
}
function save() {
  var url = URL.createObjectURL(new Blob([answer], { type: 'text/plain' }))
  var link = document.createElement('a')
  link.href = url
  link.download = data.fileName
  document.body.appendChild(link)
  link.click()
  document.body.removeChild(link)
  setTimeout(function () { URL.revokeObjectURL(url) }, 10000)
}
function copy() {
  var area = find('code')
  area.focus()
  area.select()
  var isDone = false
  try { isDone = document.execCommand('copy') } catch (error) { isDone = false }
  find('copied').textContent = isDone ? words.copied : words.notCopied
}

var radios = document.getElementsByName('kind')
for (var q = 0; q < radios.length; q++) radios[q].addEventListener('change', showFields)
var toggles = document.querySelectorAll('[data-language]')
for (var l = 0; l < toggles.length; l++) toggles[l].addEventListener('click', function (event) { setLanguage(event.currentTarget.getAttribute('data-language')) })
find('answer').addEventListener('submit', function (event) { event.preventDefault(); prepare() })
find('answer').addEventListener('input', function () { find('result').hidden = true })
find('save').addEventListener('click', save)
find('copy').addEventListener('click', copy)
find('answer').hidden = false
showFields()
})()`
