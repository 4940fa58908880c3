/** An attribute with a space before it. Tabs and line feeds are escaped, since XML replaces them in an attribute by spaces. */
export function attribute(name: string, value: string): string {
  const text = escapeXml(value).replace(/[\t\n]/g, (one) => `&#${one.charCodeAt(0)};`);
  return ` ${name}="${text}"`;
}

/** A text for XML 1.0 or HTML: escaped, without the characters that they do not allow. */
export function escapeXml(text: string): string {
  return replaceControls(text)
    .replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
    .replaceAll('\r', '&#13;');
}

/** A text with "�" in place of control characters, lone surrogates and noncharacters. */
export function replaceControls(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '�');
}
