/** Whether a text can be a subscription's receiving URL. URL alone would take "http:///x" and "http:x" for addresses of a host "x". */
export function isReceivingUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text);
}
