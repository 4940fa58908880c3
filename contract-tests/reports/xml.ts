/** An attribute with a space before it. Its white space is kept, which plain text in an attribute does not do. */
export function attribute(name: string, value: string): string {
  const kept = escapeXml(value).replace(/[\t\n]/g, (one) => `&#${one.charCodeAt(0)};`);
  return ` ${name}="${kept}"`;
}

/** A text for XML 1.0 or HTML: escaped, and without the characters that neither of them can hold. */
export function escapeXml(text: string): string {
  return holdable(text)
    .replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
    .replaceAll('\r', '&#13;');
}

/** A text in which "�" stands for control characters, lone surrogates and what is no character. */
export function holdable(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '�');
}
