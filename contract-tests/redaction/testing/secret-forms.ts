// The encodings in which a deployment may return a secret.

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const unicodeEscaped = (text: string) =>
  json(text).replace(/[^ -~]|[<>&'/]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const strict = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
const form = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
const html = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? '&#39;',
  );
const decimal = (text: string) =>
  text.replace(/[^\w ]/gu, (one) => `&#${one.codePointAt(0)};`).replaceAll('&#10;', '&#010;');
const hexadecimal = (text: string) =>
  text.replace(/[^\w ]/gu, (one) => `&#x${one.codePointAt(0)?.toString(16).toUpperCase()};`);
const inBase64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
const inBase64url = (text: string) => Buffer.from(text).toString('base64url');

export const secretForms: readonly (readonly [string, (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['escaped in JSON', json],
  ['in JSON in JSON', (text) => json(json(text))],
  ['in JSON in JSON in JSON', (text) => json(json(json(text)))],
  ['in JSON with escaped slashes', (text) => json(text).replaceAll('/', '\\/')],
  ['in ASCII-only JSON', unicodeEscaped],
  ['in ASCII-only JSON, in capitals', (text) => unicodeEscaped(text).replace(/\\u..../g, capitals)],
  ['percent-encoded', encodeURIComponent],
  [
    'percent-encoded in lower case',
    (text) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
  ],
  ['percent-encoded strictly by RFC 3986', strict],
  ['percent-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['percent-encoded like a whole URL', encodeURI],
  ['in JSON, percent-encoded', (text) => encodeURIComponent(json(text))],
  ['in JSON in JSON, percent-encoded', (text) => encodeURIComponent(json(json(text)))],
  ['in ASCII-only JSON, percent-encoded', (text) => encodeURIComponent(unicodeEscaped(text))],
  ['as a form field', form],
  ['as a form field in JSON', (text) => json(form(text))],
  ['escaped in HTML', html],
  ['escaped in HTML twice', (text) => html(html(text))],
  ['escaped in HTML in JSON', (text) => json(html(text))],
  ['escaped in HTML by numbers', decimal],
  ['escaped in HTML by hexadecimal numbers', hexadecimal],
  ['escaped in XML', (text) => html(text).replaceAll('&#39;', '&apos;')],
  ['quoted for a shell', (text) => text.replaceAll("'", "'\\''")],
  ['in base64', inBase64],
  ['in base64url', inBase64url],
  ['in base64 with escaped slashes', (text) => inBase64(text).replaceAll('/', '\\/')],
  ['in base64, percent-encoded', (text) => encodeURIComponent(inBase64(text))],
];

function capitals(code: string): string {
  return `\\u${code.slice(2).toUpperCase()}`;
}
